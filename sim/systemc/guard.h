// Carries exceptions past SystemC, whose kernel would not survive them: the first is kept, everything after it stands
// still, and whoever started the kernel throws it on.
#pragma once

#include <exception>
#include <systemc>
#include <utility>

namespace vantage::systemc {

class Guard {
 public:
  template <typename Function>
  void run(Function function) {
    if (first_) return;
    try {
      function();
    } catch (...) {
      first_ = std::current_exception();
      sc_core::sc_pause();
    }
  }

  bool failed() const { return first_ != nullptr; }
  void restart() { first_ = nullptr; }

  // Throws what was kept, and forgets it.
  void rethrow() {
    if (first_) std::rethrow_exception(std::exchange(first_, nullptr));
  }

 private:
  std::exception_ptr first_;
};

}  // namespace vantage::systemc
