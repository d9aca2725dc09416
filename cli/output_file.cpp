#include "cli/output_file.h"

#include "base/error.h"

namespace vantage::cli {

namespace fs = std::filesystem;

void require_other_file(const std::string& option, const fs::path& output, const fs::path& input) {
  std::error_code none;
  const bool is_input =
      fs::equivalent(output, input, none) || fs::weakly_canonical(output, none) == fs::weakly_canonical(input, none);
  const bool is_inside = fs::is_directory(input, none) && fs::exists(output, none) &&
                         fs::equivalent(fs::absolute(output, none).parent_path(), input, none);
  if (!is_input && !is_inside) return;
  fail("{} {} would replace {} {}, which is read; name another file", option, output.string(),
       is_input ? "the input" : "a file of", input.string());
}

void require_file_name(const std::string& option, const std::string& output) {
  if (output == "-") fail("{} - names no file; name one, such as {} page.html", option, option);
}

}  // namespace vantage::cli
