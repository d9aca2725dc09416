// A library of the board's image, found when the program runs.
#pragma once

#include <string>
#include <vector>

#include "driver/boards/memory/contiguous_memory.h"

namespace vantage::boards {

class SharedLibrary {
 public:
  // The first of these names that there is. Throws NotThere.
  SharedLibrary(System& system, const std::vector<std::string>& names) : system_(system) {
    std::string reasons;
    for (const std::string& name : names) {
      handle_ = system.library(name);
      if (handle_ != nullptr) return;
      reasons += (reasons.empty() ? "" : "; ") + system.library_error();
    }
    throw NotThere(reasons);
  }

  // A function that it must have: throws Error.
  template <typename Function>
  Function* get(const std::string& name) const {
    Function* const function = find<Function>(name);
    if (function == nullptr) fail("the library has no function {}; is it another release?", name);
    return function;
  }
  // One that it may have; null.
  template <typename Function>
  Function* find(const std::string& name) const {
    return reinterpret_cast<Function*>(system_.symbol(handle_, name));
  }

 private:
  System& system_;
  void* handle_ = nullptr;
};

}  // namespace vantage::boards
