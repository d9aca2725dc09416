// Lowering as lists of named passes. A pass takes a form of the program, a function of the IR or what a back end goes
// on with, to the same form, and leaves what it computes as it was.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "compiler/ir/prim_func.h"
#include "compiler/ir/printer.h"

namespace vantage::passes {

template <typename Form>
struct PassOn {
  std::string name;
  std::string meaning;  // a few words, for people
  std::function<Form(Form)> run;
};

// The passes of this folder, and those of back ends before they leave the IR.
using Pass = PassOn<ir::PrimFunc>;

// What an observer is shown after each step of a back end. The step is valid during the call only.
struct Step {
  std::string_view name;
  std::string_view meaning;
  std::function<std::string()> text;       // prints what the step left
  const ir::PrimFunc* function = nullptr;  // the same, where the step left a function of the IR
};
using Observer = std::function<void(const Step& step)>;

// Runs the passes in order, shows each result to the observer, if there is one, and gives back the last.
// A form is printed by to_text(form), found beside it.
template <typename Form>
Form run_passes(Form form, const std::vector<PassOn<Form>>& passes, const Observer& observer = nullptr) {
  for (const PassOn<Form>& pass : passes) {
    form = pass.run(std::move(form));
    if (!observer) continue;
    Step step{pass.name, pass.meaning, [&form] { return to_text(form); }};
    if constexpr (std::is_same_v<Form, ir::PrimFunc>) step.function = &form;
    observer(step);
  }
  return form;
}

}  // namespace vantage::passes
