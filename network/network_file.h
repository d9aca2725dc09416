// A network as JSON, beside the files of its programs and the values of its constants (docs/model-format.md).
//
// Thread safety: functions without state.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/json_fwd.h"
#include "network/network.h"

namespace vantage {

// All but the programs and the values: of a constant it has where its values begin among those of all, in order, each
// at a multiple of kTensorAlignment.
Json network_to_json(const Network& network);

// Calls `use` with the values of the constants, and with what lies between them, so that all pieces one after another
// are what network_from_json() takes.
void each_constant(const Network& network, const std::function<void(std::string_view)>& use);

// The inverse. Throws Error, beginning with `source`, for what is no network, numbers of programs and bytes of
// constants included. Whether it can be run says check_network().
Network network_from_json(const Json& json, const std::string& source, std::vector<Program> programs,
                          std::string_view constants);

}  // namespace vantage
