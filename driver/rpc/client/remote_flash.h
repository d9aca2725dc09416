// Flashing a board through its server.
#pragma once

#include <functional>
#include <string>

#include "driver/boards/flash_job.h"

namespace vantage::rpc {

// `uri`: rpc://HOST:PORT[/DEVICE]. `step` is told each step as the board takes it. Throws Error with what the board
// said.
void flash_remotely(const std::string& uri, const boards::FlashJob& job,
                    const std::function<void(const std::string&)>& step);

}  // namespace vantage::rpc
