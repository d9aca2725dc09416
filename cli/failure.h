// What failed though nobody made a mistake: the exit status is 1, and not 2.
#pragma once

#include "base/error.h"

namespace vantage::cli {

class Failure : public Error {
 public:
  using Error::Error;
};

}  // namespace vantage::cli
