#include "explore/engine.h"

#include <fmt/format.h>

#include "base/json.h"

namespace vantage::explore {

std::string request_line(const std::string& task, const Design& design, const std::string& effort) {
  const Json rest = {{"design", to_json(design)}, {"effort", effort}};
  return fmt::format("{{\"task\":{},{}\n", task, rest.dump().substr(1));
}

}  // namespace vantage::explore
