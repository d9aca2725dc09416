#include "cli/program_source.h"

#include <filesystem>

#include "base/file.h"
#include "hw/program/assembly.h"

namespace vantage::cli {

std::variant<Program, Bundle> load_program_source(const std::string& path) {
  if (std::filesystem::is_directory(path)) return load_bundle(path);
  constexpr Bytes kLimit{1 << 30};
  const std::string bytes = read_file(path, kLimit);
  if (is_program_file(bytes)) return parse_program(bytes, path);
  return assemble(bytes, path);
}

}  // namespace vantage::cli
