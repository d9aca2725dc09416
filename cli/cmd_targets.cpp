#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "base/json.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/remote_targets.h"
#include "cli/wrap.h"
#include "driver/open/open.h"

namespace vantage::cli {

namespace {

Json devices_here() {
  Json list = Json::array();
  for (const auto& kind : driver::device_kinds()) {
    list.push_back({{"target", kind.uri}, {"meaning", kind.meaning}});
    if (!kind.why_not.empty()) list.back()["why_not"] = kind.why_not;
  }
  return list;
}

Json devices_there(const std::string& server) {
  if constexpr (VANTAGE_HAS_REMOTE) return devices_of(server);
  fail("this build reaches no devices of other machines; build it with -DVANTAGE_REMOTE=ON, which ./vantage does");
}

void print_table(const Json& list) {
  size_t width = 0;
  for (const Json& row : list) width = std::max(width, row["target"].get<std::string>().size());
  for (const Json& row : list) {
    std::string meaning = row["meaning"].get<std::string>();
    if (row.contains("sessions")) {
      meaning += fmt::format("; {} sessions, {} runs wait", row["sessions"].get<int>(), row["waiting_runs"].get<int>());
    }
    if (row.contains("why_not")) meaning += ". Not on this machine: " + row["why_not"].get<std::string>();
    print_out("{:<{}} {}", row["target"].get<std::string>(), width, wrapped(meaning, width + 1));
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
  command->add_option("server", a->server, "rpc://HOST:PORT: what this server offers, and who uses it")
      ->type_name("TARGET");
  add_json_flag(*command, a->json);
  command->footer(
      "Examples:\n"
      "  vantage targets\n"
      "  vantage targets --json\n"
      "  # where `vantage serve` runs on another terminal\n"
      "  vantage targets rpc://127.0.0.1:9091");
  command->callback([a, &status] {
    const Json list = a->server.empty() ? devices_here() : devices_there(a->server);
    if (a->json) {
      print_out("{}\n", json_text(list));
    } else {
      print_table(list);
    }
    status = 0;
  });
}

}  // namespace vantage::cli
