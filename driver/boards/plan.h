// Steps that are told before they are taken, or only told.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace vantage::boards {

struct Action {
  std::string what;  // in a line
  std::function<void()> run;
  bool changes_fpga = false;  // from here on what was in the FPGA is gone
};
using Plan = std::vector<Action>;

// Told each step before it is taken.
using Step = std::function<void(const std::string&)>;

inline void carry_out(const Plan& plan, const Step& step) {
  for (const Action& action : plan) {
    step(action.what);
    action.run();
  }
}

}  // namespace vantage::boards
