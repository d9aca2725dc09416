#include "cli/stages.h"

#include <map>

#include "base/json.h"
#include "cli/line_diff.h"
#include "cli/output.h"

namespace vantage::cli {

namespace {

void print_all(const std::vector<Stage>& all) {
  std::map<StageKind, const std::string*> last;
  for (const Stage& stage : all) {
    print_out("==== {}: {}\n", stage.name, stage.meaning);
    // The first of its kind is new as a whole.
    const std::string*& before = last[stage.kind];
    std::string text = stage.text;
    if (stage.kind != StageKind::kOther && before != nullptr) text = line_diff(*before, text);
    // Functions are short; of the operations, which may be thousands, what changed is enough.
    if (stage.kind == StageKind::kOperations && before != nullptr) text = with_context(text, 3);
    print_out("{}\n", text);
    before = &stage.text;
  }
}

}  // namespace

void print_stages(const std::vector<Stage>& all, const std::string& wanted, bool json) {
  if (json) {
    Json list = Json::array();
    for (const Stage& stage : all) {
      if (wanted != "all" && wanted != stage.name) continue;
      list.push_back({{"stage", stage.name}, {"meaning", stage.meaning}, {"text", stage.text}});
    }
    print_out("{}\n", json_text(list));
    return;
  }
  if (wanted == "all") return print_all(all);
  for (const Stage& stage : all) {
    if (stage.name == wanted) print_out("{}", stage.text);
  }
}

}  // namespace vantage::cli
