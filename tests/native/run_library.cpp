// Runs a function of a library on float32 tensors in files: run_library FOLDER FUNCTION (FILE SIZES)..., sizes
// separated by commas. The last file is written, the others are read. Knows nothing of the compiler.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "native/library.h"

using namespace vantage;

namespace {

struct Free {
  void operator()(void* memory) const { std::free(memory); }  // NOLINT: of aligned_alloc
};

struct FileTensor {
  FileTensor(std::string file, const std::string& sizes) : path(std::move(file)) {
    std::istringstream words(sizes);
    for (std::string word; std::getline(words, word, ',');) shape.push_back(std::stoll(word));
    for (const int64_t size : shape) bytes *= static_cast<size_t>(size);
    memory.reset(static_cast<std::byte*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64)));
    tensor = {memory.get(), {kDLCPU, 0}, static_cast<int>(shape.size()), {kDLFloat, 32, 1}, shape.data(), nullptr, 0};
  }
  std::string path;
  std::vector<int64_t> shape;
  size_t bytes = 4;
  std::unique_ptr<std::byte, Free> memory;
  DLTensor tensor{};
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 5 || argc % 2 == 0) fail("usage: run_library FOLDER FUNCTION (FILE SIZES)...");
  const native::Library library = native::load_library(argv[1]);
  std::vector<std::unique_ptr<FileTensor>> tensors;
  std::vector<const DLTensor*> arguments;
  for (int i = 3; i + 1 < argc; i += 2) {
    tensors.push_back(std::make_unique<FileTensor>(argv[i], argv[i + 1]));
    arguments.push_back(&tensors.back()->tensor);
    if (i + 2 == argc) break;  // the last one is written
    const std::string contents = read_file(argv[i], Bytes(tensors.back()->bytes));
    std::memcpy(tensors.back()->memory.get(), contents.data(), contents.size());
  }
  library.find(argv[2])(arguments);
  const FileTensor& last = *tensors.back();
  write_file(last.path, as_text({last.memory.get(), last.bytes}));
  return 0;
} catch (const Error& error) {
  fmt::print(stderr, "error: {}\n", error.what());
  return 2;
}
