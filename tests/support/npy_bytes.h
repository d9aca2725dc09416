// The bytes of a .npy file (format version 1) from its header's dictionary and its data, however malformed.
#pragma once

#include <string>

namespace vantage::test {

inline std::string npy_bytes(const std::string& header, const std::string& data) {
  std::string file("\x93NUMPY\x01\x00", 8);
  file += {static_cast<char>(header.size()), '\0'};
  return file + header + data;
}

inline std::string npy_bytes(const std::string& descr, const std::string& shape, const std::string& data) {
  return npy_bytes("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }", data);
}

}  // namespace vantage::test
