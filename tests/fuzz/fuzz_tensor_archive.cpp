// Any bytes as a .safetensors or .npz file, of which all tensors are read.
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/open_file.h"
#include "base/tensor/tensor_archive.h"

using namespace vantage;

namespace {

using Open = std::unique_ptr<TensorArchive> (*)(const std::filesystem::path&);

void read_all(Open open, const std::filesystem::path& path, size_t size) {
  try {
    const auto archive = open(path);
    for (const std::string& name : archive->names()) {
      try {
        const Tensor tensor = archive->read(name);
        // Bfloat16 is widened; what is packed may be much larger, and is bounded by itself.
        VANTAGE_CHECK(open != open_safetensors || tensor.bytes().size() <= 2 * size);
      } catch (const Error&) {
      }
    }
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const OpenFile file(::memfd_create("fuzz", MFD_CLOEXEC));
  VANTAGE_CHECK(file.get() >= 0 && ::write(file.get(), data, size) == static_cast<ssize_t>(size));
  const std::filesystem::path path = "/proc/self/fd/" + std::to_string(file.get());
  read_all(open_safetensors, path, size);
  read_all(open_npz, path, size);
  return 0;
}
