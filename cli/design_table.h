// Designs beside each other, from a database of them.
#pragma once

#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "explore/database.h"

namespace vantage::cli {

// Of each workload so many designs that take the least time for it, a line each.
std::string fastest_table(explore::Database& database, const std::vector<std::string>& workloads,
                          const std::string& version, const std::string& effort, uint64_t count);
Json fastest_json(explore::Database& database, const std::vector<std::string>& workloads, const std::string& version,
                  const std::string& effort, uint64_t count);

}  // namespace vantage::cli
