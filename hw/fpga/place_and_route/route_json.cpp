#include "hw/fpga/place_and_route/route_json.h"

namespace vantage::fpga {

namespace {

constexpr double kMostKept = 1e9;  // of nanoseconds, megahertz and seconds

Json to_json(const RoutedPath& path) {
  Json steps = Json::array();
  for (const RoutedStep& step : path.steps) {
    steps.push_back({{"kind", step.kind}, {"ns", step.ns}, {"name", step.name}});
  }
  return {{"ns", path.ns()}, {"logic_ns", path.logic_ns()}, {"routing_ns", path.routing_ns()}, {"from", path.from},
          {"to", path.to},   {"steps", std::move(steps)}};
}

RoutedPath routed_path_from_json(const JsonObject& object) {
  RoutedPath path{.from = object.string("from"), .to = object.string("to"), .steps = {}};
  object.each_object("steps", {"kind", "ns", "name"}, [&](const JsonObject& step) {
    path.steps.push_back({step.string("kind"), step.number("ns", -kMostKept, kMostKept), step.string("name")});
  });
  return path;
}

}  // namespace

std::vector<std::string> route_keys() {
  return {"used", "routes", "seconds"};
}

std::vector<std::string> one_route_keys() {
  return {"seed", "max_mhz", "critical_path"};
}

Json to_json(const Route& route) {
  return {{"seed", route.seed}, {"max_mhz", route.max_mhz}, {"critical_path", to_json(route.critical)}};
}

Route route_from_json(const JsonObject& object) {
  return {
      object.natural("seed", 0, UINT32_MAX), object.number("max_mhz", 0, kMostKept),
      routed_path_from_json(object.object("critical_path", {"ns", "logic_ns", "routing_ns", "from", "to", "steps"}))};
}

Json to_json(const PlaceAndRoute& result) {
  Json used = Json::array();
  for (const PartUse& u : result.used) {
    used.push_back({{"resource", u.resource}, {"used", u.used}, {"available", u.available}});
  }
  Json routes = Json::array();
  for (const Route& route : result.routes) routes.push_back(to_json(route));
  return {{"used", std::move(used)}, {"routes", std::move(routes)}, {"seconds", result.seconds}};
}

PlaceAndRoute place_and_route_from_json(const JsonObject& object) {
  PlaceAndRoute result;
  object.each_object("used", {"resource", "used", "available"}, [&](const JsonObject& u) {
    result.used.push_back(
        {u.string("resource"), u.natural("used", 0, UINT32_MAX), u.natural("available", 0, UINT32_MAX)});
  });
  object.each_object("routes", one_route_keys(),
                     [&](const JsonObject& route) { result.routes.push_back(route_from_json(route)); });
  result.seconds = object.number("seconds", 0, kMostKept);
  if (result.fits() == result.routes.empty()) object.refuse("routes", "some where the core fits, and none where not");
  return result;
}

}  // namespace vantage::fpga
