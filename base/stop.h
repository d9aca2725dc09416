// Long work that may be told to end: it asks from time to time whether anybody still waits for it.
#pragma once

#include <stop_token>

#include "base/error.h"

namespace vantage {

// Thrown where work ended because it was told to.
class Stopped : public Error {
 public:
  Stopped() : Error("it was stopped before its end") {}
};

// Throws Stopped once a stop was asked for. Takes a few nanoseconds, so that each turn of a loop may call it.
inline void require_going_on(const std::stop_token& stop) {
  if (stop.stop_requested()) throw Stopped();
}

}  // namespace vantage
