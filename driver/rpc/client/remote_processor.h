// A processor of another machine that takes code: rpc://HOST:PORT/cpu.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "driver/processor/function_device.h"

namespace vantage::rpc {

// `log` is told what the server has to say, from another thread. Throws Error with what the server said, and when the
// device is an accelerator.
std::unique_ptr<driver::FunctionDevice> open_remote_processor(const std::string& uri,
                                                              std::function<void(const std::string&)> log = nullptr);

}  // namespace vantage::rpc
