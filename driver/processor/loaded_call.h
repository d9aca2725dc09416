// A call of this process as something that is loaded: what compiled functions and the operators of libraries have in
// common once they are bound to their tensors.
#pragma once

#include <functional>
#include <memory>

#include "driver/device/loaded.h"

namespace vantage::driver {

// Runs `call`; what it throws, run() and time() throw. A result is always well ended, without counters or cycles: what
// a call takes, only a clock tells.
//
// Of the options of a run, a stop that was requested is seen before the call begins, which then is not made; a call
// that has begun runs to its end. Throws Error for a limit of steps and for records of retirement, since a call has no
// instructions to count or to record. For the same reason no progress is told, and a seed of interleavings, whose
// choice changes no result, has nothing to choose.
//
// Timing costs no more than calling `call`: options are looked at once, unless they have a token to stop by.
std::unique_ptr<Loaded> load_call(std::function<void()> call);

}  // namespace vantage::driver
