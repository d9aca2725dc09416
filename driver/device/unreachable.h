// What is thrown where the machine behind a target does not take us.
#pragma once

#include "base/error.h"

namespace vantage::driver {

// It does not answer, or not to us: nothing runs there.
class Unreachable : public Error {
 public:
  using Error::Error;
};

// It answers, but has no room for a session, or for what is asked of it: later it may.
class Busy : public Error {
 public:
  using Error::Error;
};

}  // namespace vantage::driver
