// Dependence tokens between two stages. They carry nothing, so the queue is a count.
#pragma once

#include "base/error.h"
#include "sim/systemc/clock.h"

namespace vantage::systemc {

class TokenQueue : public sc_core::sc_module {
 public:
  TokenQueue(sc_core::sc_module_name name, Clock& clock) : sc_module(name), clock_(clock), available_("available") {}

  // A stage pushes in cycle `at`, this one. At most one push a cycle.
  void push(Cycle at) {
    if (count_++ == 0) from_ = timing::token_available(at);
    clock_.notify(available_, timing::token_available(at));
  }

  // From when on there is a token to be popped; kNever while there is none.
  Cycle available_from() const { return count_ == 0 ? kNever : from_; }
  // Notified in the cycle in which a token can be popped.
  const sc_core::sc_event& available() const { return available_; }

  // REQUIRES: available_from() <= at
  void pop(Cycle at) {
    VANTAGE_CHECK(available_from() <= at);
    --count_;
  }

  uint64_t count() const { return count_; }

  void restart() {
    available_.cancel();
    count_ = 0;
  }

 private:
  Clock& clock_;
  sc_core::sc_event available_;
  uint64_t count_ = 0;
  Cycle from_;
};

}  // namespace vantage::systemc
