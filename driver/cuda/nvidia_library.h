// A library of NVIDIA's that is loaded when it is asked for: what does not use it builds and runs without.
//
// Thread safety: none.
#pragma once

#include <string>
#include <vector>

namespace vantage::driver {

struct NvidiaLibraryNames {
  std::string name;                // "cuBLAS"
  std::vector<std::string> files;  // that the system is asked for, in this order
  std::string package;             // the Python package that has it, beside where else it can be had
  std::string source;              // where else: "the CUDA toolkit"
  std::string oldest;              // the oldest version that has all that is needed
};

class NvidiaLibrary {
 public:
  // `file`, or where that is empty the first of the usual ones that there is. It stays to the end of the process.
  // Throws Error that says what was looked for, and where it can be had.
  NvidiaLibrary(const NvidiaLibraryNames& names, const std::string& file);

  // Throws Error for a library that is too old to have it.
  template <typename Function>
  void find(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(symbol(name));
  }

 private:
  void* symbol(const char* name) const;

  const std::string name_, oldest_;
  std::string file_;
  void* library_ = nullptr;
};

}  // namespace vantage::driver
