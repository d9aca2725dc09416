// What variables and buffers are called in a kernel's text.
//
// Thread safety: as a std::map's.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "compiler/ir/buffer.h"

namespace vantage::cuda {

// Each gets a name of its own, which is its own name wherever that is free and none that C++ or the device's headers
// use.
class Names {
 public:
  const std::string& of(const ir::VarNode& var) { return of(&var, var.name); }
  const std::string& of(const ir::Buffer& buffer) { return of(buffer.get(), buffer->name); }
  // One that stands for nothing of the IR.
  std::string fresh(const std::string& wanted);

 private:
  const std::string& of(const void* what, const std::string& wanted);

  std::unordered_map<const void*, std::string> names_;
  std::unordered_set<std::string> taken_;
};

}  // namespace vantage::cuda
