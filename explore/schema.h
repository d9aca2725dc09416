// The tables of a database of designs; docs/sweeps.md describes them for who reads it with other tools.
//
// Thread safety: functions without state.
#pragma once

#include <string>

namespace vantage::explore {

inline constexpr int kSchemaVersion = 5;
inline constexpr int kApplicationId = 0x564e5447;  // "VNTG", by which `file` and SQLite's tools know it

// The statements that make them.
std::string schema();

// The columns of what is counted (each_count() in evaluate.h), with commas between.
std::string count_columns(const std::string& before = "", const std::string& behind = "");

// Those of kNeeds (evaluate.h).
std::string needs_columns(const std::string& behind = "");

}  // namespace vantage::explore
