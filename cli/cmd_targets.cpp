#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/json.h"
#include "cli/commands.h"
#include "cli/one_line.h"
#include "cli/options.h"
#include "driver/open/open.h"
#include "driver/rpc/connection.h"

namespace vantage::cli {

namespace {

Json devices_here() {
  Json list = Json::array();
  for (const auto& kind : driver::device_kinds()) list.push_back({{"target", kind.uri}, {"meaning", kind.meaning}});
  return list;
}

Json devices_of(const std::string& server) {
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

void print_table(const Json& list) {
  size_t width = 0;
  for (const Json& row : list) width = std::max(width, row["target"].get<std::string>().size());
  for (const Json& row : list) {
    fmt::print("{:<{}} {}", row["target"].get<std::string>(), width, row["meaning"].get<std::string>());
    if (row.contains("sessions"))
      fmt::print("; {} sessions, {} runs wait", row["sessions"].get<int>(), row["waiting_runs"].get<int>());
    fmt::print("\n");
  }
}

}  // namespace

void add_targets(CLI::App& app, int& status) {
  struct Arguments {
    std::string server;
    bool json = false;
  };
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("targets", "the devices that --target can open, or that a server offers");
  command->add_option("server", a->server, "rpc://HOST:PORT: what this server offers, and who uses it");
  add_json_flag(*command, a->json);
  command->footer(
      "Examples:\n"
      "  vantage targets --json\n"
      "  vantage targets rpc://127.0.0.1:9091");
  command->callback([a, &status] {
    const Json list = a->server.empty() ? devices_here() : devices_of(a->server);
    if (a->json) {
      fmt::print("{}\n", json_text(list));
    } else {
      print_table(list);
    }
    status = 0;
  });
}

}  // namespace vantage::cli
