// How something is compiled, step by step, for people to look at.
#pragma once

#include <string>
#include <vector>

namespace vantage::cli {

// What is shown of a stage; one is compared with the last one of its kind.
enum class StageKind { kFunction, kOperations, kOther };

struct Stage {
  std::string name, meaning, text;
  StageKind kind = StageKind::kOther;
};

// The stage of this name, or, of "all", what each has changed; as JSON, their texts.
void print_stages(const std::vector<Stage>& all, const std::string& stage, bool json);

}  // namespace vantage::cli
