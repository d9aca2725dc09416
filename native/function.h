// A compiled function, wherever it came from: something to call.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "native/abi.h"
#include "native/signature.h"

namespace vantage::native {

// Of a function all of whose parameters are tensors.
std::vector<vantage_argument> arguments_of(const std::vector<const DLTensor*>& tensors);

// Thread safety: may be copied and called from many threads at once, see abi.h.
class Function {
 public:
  // `owner` keeps the code in memory for as long as any copy exists; null where it stays by itself.
  Function(vantage_entry code, Signature described, std::shared_ptr<const void> owner)
      : entry_(code), signature_(std::make_shared<const Signature>(std::move(described))), owner_(std::move(owner)) {}

  const Signature& signature() const { return *signature_; }
  vantage_entry entry() const { return entry_; }

  // Throws Error, naming the argument, what was expected and what came, when arguments do not fit. Without a runtime it
  // runs on this thread alone.
  void operator()(std::span<const vantage_argument> arguments, const vantage_runtime* runtime = nullptr) const;
  // All of whose arguments are tensors.
  void operator()(const std::vector<const DLTensor*>& tensors, const vantage_runtime* runtime = nullptr) const;

 private:
  vantage_entry entry_;
  std::shared_ptr<const Signature> signature_;
  std::shared_ptr<const void> owner_;
};

}  // namespace vantage::native
