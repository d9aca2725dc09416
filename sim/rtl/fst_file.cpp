#include "sim/rtl/fst_file.h"

#include <array>
#include <cstdint>
#include <fstream>

namespace vantage::sim {

bool is_whole_fst(const std::filesystem::path& path) {
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file || size == 0) return false;
  uint64_t at = 0;
  while (at < size) {
    std::array<unsigned char, 9> head{};
    file.seekg(static_cast<std::streamoff>(at));
    if (!file.read(reinterpret_cast<char*>(head.data()), head.size())) return false;
    uint64_t length = 0;
    for (size_t i = 1; i < head.size(); ++i) length = length << 8 | head[i];
    if (length < 8 || length > size - at - 1) return false;
    at += 1 + length;
  }
  return true;
}

}  // namespace vantage::sim
