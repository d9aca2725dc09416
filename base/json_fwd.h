// The name of a JSON value, for headers that only pass one on: base/json.h takes a second to compile.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace vantage {

using Json = nlohmann::ordered_json;  // keeps keys in the order in which they were written

}  // namespace vantage
