// What is thrown where the machine behind a target does not answer, or not to us: nothing runs there.
#pragma once

#include "base/error.h"

namespace vantage::driver {

class Unreachable : public Error {
 public:
  using Error::Error;
};

}  // namespace vantage::driver
