#include "cli/program_source.h"

#include <array>
#include <cstdio>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "hw/program/assembly.h"

namespace vantage::cli {

std::string read_standard_input() {
  std::string text;
  std::array<char, 1 << 16> block;
  while (const size_t count = std::fread(block.data(), 1, block.size(), stdin)) {
    text.append(block.data(), count);
    if (text.size() > kLargestProgram.count())
      fail("standard input has more than the {} bytes of a program", kLargestProgram.count());
  }
  if (std::ferror(stdin) != 0) fail("standard input cannot be read");
  return text;
}

std::variant<Program, Bundle> load_program_source(const std::string& path) {
  if (std::filesystem::is_directory(path)) return load_bundle(path);
  const bool is_stream = path == "-";
  const std::string bytes = is_stream ? read_standard_input() : read_file(path, kLargestProgram);
  const std::string source = is_stream ? "standard input" : path;
  if (is_program_file(bytes)) return parse_program(bytes, source);
  return assemble(bytes, source);
}

}  // namespace vantage::cli
