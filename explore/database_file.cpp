#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include "explore/database_file.h"

#include "base/error.h"
#include "explore/schema.h"

namespace vantage::explore {

void refuse_database(const std::filesystem::path& path, const SQLite::Exception& error) {
  switch (error.getErrorCode()) {
    case SQLITE_NOTADB: fail("{}: is no database; take another file", path.string());
    case SQLITE_FULL:
      fail("{}: the disk is full; what was recorded is kept, and the same command goes on once there is room",
           path.string());
    case SQLITE_BUSY: fail("{}: another program holds a lock on it; end that, and go on", path.string());
    case SQLITE_READONLY:
      fail(
          "{}: it, its folder, or what SQLite keeps beside it ({}-wal, {}-shm) cannot be written to; copy it to a "
          "folder of your own",
          path.string(), path.filename().string(), path.filename().string());
    case SQLITE_CANTOPEN:
      fail("{}: cannot be opened; copy it to a folder that can be written to, where SQLite keeps files beside it",
           path.string());
    case SQLITE_CORRUPT: fail("{}: is damaged; begin another file", path.string());
    default: fail("{}: {}", path.string(), error.what());
  }
}

void require_our_tables(const std::filesystem::path& path, SQLite::Database& database) {
  if (database.execAndGet("PRAGMA application_id").getInt() != kApplicationId) {
    fail("{}: is a database of another program; take another file", path.string());
  }
  const int version = database.execAndGet("PRAGMA user_version").getInt();
  if (version == kSchemaVersion) return;
  fail("{}: has version {} of the tables, this tool knows {}; take the tool that made it, or begin another file",
       path.string(), version, kSchemaVersion);
}

}  // namespace vantage::explore
