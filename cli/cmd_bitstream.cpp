#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "base/json.h"
#include "base/shell_word.h"
#include "cli/bitstreams.h"
#include "cli/called_as.h"
#include "cli/commands.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/wrap.h"

namespace vantage::cli {

namespace {

using boards::BitstreamCheck;
using boards::BitstreamEntry;
using boards::BitstreamState;
using boards::BitstreamStore;

Json row(const BitstreamStore& store, const BitstreamEntry& entry) {
  const BitstreamCheck check = store.check(entry);
  Json json = entry.to_json();
  json["state"] = name(check.state);
  if (!check.text.empty()) json["reason"] = check.text;
  if (check.state != BitstreamState::kAbsent) json["file"] = store.file(entry).string();
  return json;
}

std::string text(const Json& row, const char* key) {
  return row[key].get<std::string>();
}

void print_table(const Json& rows) {
  constexpr const char* kColumns[] = {"name", "configuration", "register_map", "state"};
  size_t widths[std::size(kColumns)] = {};
  for (const Json& row : rows) {
    for (size_t i = 0; i < std::size(kColumns); ++i) widths[i] = std::max(widths[i], text(row, kColumns[i]).size());
  }
  for (const Json& row : rows) {
    std::string line;
    for (size_t i = 0; i < std::size(kColumns); ++i) line += fmt::format("{:<{}} ", text(row, kColumns[i]), widths[i]);
    std::string boards;
    for (const Json& board : row["boards"]) boards += (boards.empty() ? "" : ", ") + board.get<std::string>();
    print_out("{}{}", line, wrapped(boards, line.size()));
  }
}

struct Arguments {
  std::vector<std::string> names;
  std::string name, from, board = "pynq-z1";
  ConfigOption config;
  bool json = false;
};

int list(const Arguments& a) {
  const BitstreamStore store = bitstream_store();
  Json rows = Json::array();
  for (const BitstreamEntry& entry : store.entries()) rows.push_back(row(store, entry));
  a.json ? print_out("{}\n", json_text(rows)) : print_table(rows);
  return 0;
}

// Those that are here, or those that are named: 1 when one is not what it should be.
int check(const Arguments& a) {
  const BitstreamStore store = bitstream_store();
  Json rows = Json::array();
  if (a.names.empty()) {
    for (const BitstreamEntry& entry : store.entries()) {
      if (store.check(entry).state != BitstreamState::kAbsent) rows.push_back(row(store, entry));
    }
  }
  for (const std::string& name : a.names) rows.push_back(row(store, store.find(name)));
  const bool ok = std::all_of(rows.begin(), rows.end(), [](const Json& r) { return r["state"] == "verified"; });
  if (a.json) {
    print_out("{}\n", json_text({{"ok", ok}, {"bitstreams", rows}}));
  } else {
    for (const Json& r : rows) {
      print_out("{}: {}{}\n", text(r, "name"), text(r, "state"), r.contains("reason") ? ": " + text(r, "reason") : "");
    }
    if (rows.empty()) print_out("No bitstream is on this machine.\n");
  }
  return ok ? 0 : 1;
}

int fetch(const Arguments& a) {
  const BitstreamStore store = bitstream_store();
  const BitstreamEntry& entry = store.find(a.name);
  store.fetch(entry, a.from.empty() ? entry.source : a.from, build_progress());
  const BitstreamCheck found = store.check(entry);
  print_out("{}: {}{}\n", store.file(entry).string(), name(found.state), found.text.empty() ? "" : ": " + found.text);
  return 0;
}

int build(const Arguments& a) {
  BitstreamStore store = bitstream_store();
  const BitstreamEntry entry = store.build(a.config.load(), load_board(a.board), build_progress());
  const std::string config = a.config.given() ? " --config " + shell_word(a.config.text) : "";
  print_out("{}: {}; flash it with: {} flash --board {}{} {}\n", entry.name, store.file(entry).string(), called_as(),
            shell_word(a.board), config, entry.name);
  return 0;
}

}  // namespace

void add_bitstream(CLI::App& app, int& status) {
  auto a = std::make_shared<Arguments>();
  CLI::App* bitstream = app.add_subcommand("bitstream", "which bitstreams there are; check, fetch and build them");

  CLI::App* list_command = bitstream->add_subcommand("list", "all that the manifest names or that were built here");
  add_json_flag(*list_command, a->json);
  list_command->footer(
      "Examples:\n"
      "  vantage bitstream list\n"
      "  vantage bitstream list --json");
  list_command->callback([a, &status] { status = list(*a); });

  CLI::App* check_command = bitstream->add_subcommand("check", "are those on this machine what they should be?");
  check_command->add_option("names", a->names, "these only; without them all that are here")
      ->type_name("NAME")
      ->check(not_empty());
  add_json_flag(*check_command, a->json);
  check_command->footer(
      "Exit status: 0 all are verified, 1 one is damaged, unverified or named and absent.\n"
      "Examples:\n"
      "  vantage bitstream check\n"
      "  vantage bitstream check vta-pynq-0.0.2-1x16 --json");
  check_command->callback([a, &status] { status = check(*a); });

  CLI::App* fetch_command = bitstream->add_subcommand("fetch", "bring one into the cache, and compare its hash");
  fetch_command->add_option("name", a->name, "as `vantage bitstream list` names it")
      ->type_name("NAME")
      ->required()
      ->check(not_empty());
  fetch_command->add_option("--from", a->from, "another URL than its source; file:///PATH for a file")
      ->type_name("URL")
      ->check(not_empty());
  fetch_command->footer(
      "Examples:\n"
      "  vantage bitstream fetch vta-pynq-0.0.2-1x16\n"
      "  # what was downloaded by hand\n"
      "  vantage bitstream fetch vta-pynq-0.0.2-1x16 --from file:///tmp/core.bit");
  fetch_command->callback([a, &status] { status = fetch(*a); });

  CLI::App* build_command = bitstream->add_subcommand("build", "make one of a configuration, with Vivado");
  build_command->add_option("--board", a->board, "a JSON file, or a name from configs/boards")
      ->type_name("NAME|FILE")
      ->check(such_as(board_names()))
      ->capture_default_str();
  a->config.add_to(*build_command);
  build_command->footer(
      "Examples:\n"
      "  vantage bitstream build --board pynq-z1 --config pynq");
  build_command->callback([a, &status] { status = build(*a); });

  bitstream->footer(
      "Examples:\n"
      "  vantage bitstream list\n"
      "  vantage bitstream check\n"
      "  vantage bitstream fetch vta-pynq-0.0.2-1x16\n"
      "  vantage bitstream build --board pynq-z1 --config pynq");
}

}  // namespace vantage::cli
