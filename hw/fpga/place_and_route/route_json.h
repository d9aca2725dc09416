// What place and route found, as JSON: in the cache, and for people's programs (docs/json.md).
//
// Thread safety: functions without state.
#pragma once

#include <string>
#include <vector>

#include "base/json_object.h"
#include "hw/fpga/place_and_route/place_and_route.h"

namespace vantage::fpga {

std::vector<std::string> route_keys();      // of the outermost object
std::vector<std::string> one_route_keys();  // of a Route

Json to_json(const Route& route);
Json to_json(const PlaceAndRoute& result);
// These throw Error naming the key, the value and what would be right.
Route route_from_json(const JsonObject& object);
PlaceAndRoute place_and_route_from_json(const JsonObject& object);

}  // namespace vantage::fpga
