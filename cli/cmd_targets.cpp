#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/options.h"
#include "driver/open/open.h"
#include "hw/spec/json.h"

namespace vantage::cli {

void add_targets(CLI::App& app, int& status) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("targets", "the devices that --target can open");
  add_json_flag(*command, *json);
  command->footer("Example:\n  vantage targets --json");
  command->callback([json, &status] {
    Json list = Json::array();
    size_t width = 0;
    for (const auto& kind : driver::device_kinds()) width = std::max(width, kind.uri.size());
    for (const auto& kind : driver::device_kinds()) {
      list.push_back({{"target", kind.uri}, {"meaning", kind.meaning}});
      if (!*json) fmt::print("{:<{}} {}\n", kind.uri, width, kind.meaning);
    }
    if (*json) fmt::print("{}\n", json_text(list));
    status = 0;
  });
}

}  // namespace vantage::cli
