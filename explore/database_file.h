// What Database and Results say of files that are none of ours.
//
// Thread safety: functions without state.
#pragma once

#include <filesystem>

namespace SQLite {
class Database;
class Exception;
}  // namespace SQLite

namespace vantage::explore {

// Throws Error for what SQLite threw: names the file, and says what to do.
[[noreturn]] void refuse_database(const std::filesystem::path& path, const SQLite::Exception& error);

// Throws Error unless it has the tables of this tool. REQUIRES: it is not empty.
void require_our_tables(const std::filesystem::path& path, SQLite::Database& database);

// What SQLite throws in `work` becomes an Error that says what to do.
template <typename Work>
auto guarded(const std::filesystem::path& path, const Work& work) {
  try {
    return work();
  } catch (const SQLite::Exception& error) {
    refuse_database(path, error);
  }
}

}  // namespace vantage::explore
