#include "cli/remote_targets.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/json.h"
#include "base/one_line.h"
#include "driver/device/server_address.h"
#include "driver/rpc/client/connection.h"

namespace vantage::cli {

Json devices_of(const std::string& server) {
  if (const driver::ServerAddress address(server, "server"); !address.device.empty()) {
    fail("{} is a device, expected a server; leave out /{}", server, address.device);
  }
  Json list = Json::array();
  for (const auto& device : rpc::list_devices(server)) {
    list.push_back({{"target", fmt::format("{}/{}", server, one_line(device.name()))},
                    {"meaning", one_line(device.meaning())},
                    {"sessions", device.sessions()},
                    {"runs_at_once", device.runs_at_once()},
                    {"waiting_runs", device.waiting_runs()}});
    if (!device.config_json().empty()) list.back()["config"] = parse_json(device.config_json(), server);
  }
  return list;
}

}  // namespace vantage::cli
