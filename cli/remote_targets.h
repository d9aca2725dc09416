// The devices that a server offers.
#pragma once

#include <string>

#include "base/json_fwd.h"

namespace vantage::cli {

// One object for each device of `server` ("rpc://HOST:PORT"): what to open, what it is, and who uses it (docs/json.md).
// Throws Error when the server cannot be reached. In builds with VANTAGE_REMOTE.
Json devices_of(const std::string& server);

}  // namespace vantage::cli
