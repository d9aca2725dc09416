#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/file.h"
#include "base/temporary.h"
#include "cli/command_tree.h"
#include "cli/commands.h"
#include "cli/manual.h"
#include "cli/options.h"
#include "cli/output.h"

namespace vantage::cli {

namespace {

int write_pages(const CLI::App& root, const std::string& folder) {
  NewDirectory pages(folder);
  size_t count = 0;
  for_each_command(describe(root), [&](const CommandEntry& command) {
    write_file(pages.path() / (manual_name(command) + ".1"), manual_page(command));
    ++count;
  });
  pages.commit();
  print_out("{} pages; read one with: man -l {}/vantage.1\n", count, folder);
  return 0;
}

}  // namespace

void add_man(CLI::App& app, int& status) {
  auto folder = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("man", "write the manual pages, one for each command, into a new folder");
  command->add_option("dir", *folder, "the folder to make")->type_name("DIR")->required()->check(not_empty());
  command->footer(
      "Examples:\n"
      "  vantage man man1\n"
      "  man -l man1/vantage.1");
  command->callback([&app, folder, &status] { status = write_pages(app, *folder); });
}

}  // namespace vantage::cli
