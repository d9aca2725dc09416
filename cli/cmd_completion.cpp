#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/command_tree.h"
#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/known_values.h"
#include "cli/output.h"

namespace vantage::cli {

void add_completion(CLI::App& app, int& status) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "print a script that completes command lines of this tool");
  command->add_option("shell", *shell, "whose")->type_name("NAME")->required()->check(one_of({"bash", "zsh"}));
  command->footer(
      "The script knows the commands, options, configurations, memories, boards, targets and layers of this build. It "
      "also completes ./vantage, and goes into ~/.bashrc or, behind compinit, into ~/.zshrc.\n"
      "Examples:\n"
      "  # for this shell, bash\n"
      "  source <(vantage completion bash)\n"
      "  # for this shell, zsh\n"
      "  source <(vantage completion zsh)");
  command->callback([&app, shell, &status] {
    const CommandEntry top = describe(app);
    print_out("{}", *shell == "bash" ? bash_completion(top) : zsh_completion(top));
    status = 0;
  });
}

}  // namespace vantage::cli
