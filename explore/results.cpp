#include "explore/results.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <map>

#include "base/error.h"
#include "base/json.h"
#include "explore/database_file.h"

namespace vantage::explore {

namespace fs = std::filesystem;

struct Results::Connection {
  // For writing, too, where the file allows it, so that SQLite can take away the files that it keeps beside it
  explicit Connection(const fs::path& file) : path(file), db(file.string(), SQLite::OPEN_READWRITE, 10'000) {}

  SQLite::Statement& prepared(const std::string& sql) {
    auto& statement = statements[sql];
    if (statement == nullptr) statement = std::make_unique<SQLite::Statement>(db, sql);
    statement->reset();
    return *statement;
  }

  fs::path path;
  SQLite::Database db;
  std::map<std::string, std::unique_ptr<SQLite::Statement>> statements;  // by their text
};

Results::Results(const fs::path& path) {
  guarded(path, [&] {
    connection_ = std::make_unique<Connection>(path);
    SQLite::Database& db = connection_->db;
    db.exec("PRAGMA query_only = 1");
    require_our_tables(path, db);
    db.exec("BEGIN");
    db.execAndGet("SELECT COUNT(*) FROM sweeps");  // from here on others' changes are not seen
  });
}

Results::~Results() = default;

std::vector<std::string> Results::columns(const std::string& table) {
  return guarded(connection_->path, [&] {
    SQLite::Statement statement(connection_->db, "SELECT name FROM pragma_table_info(?)");
    statement.bind(1, table);
    std::vector<std::string> names;
    while (statement.executeStep()) names.push_back(statement.getColumn(0).getString());
    return names;
  });
}

void Results::query(const std::string& sql, const std::vector<int64_t>& values,
                    const std::function<void(const Row&)>& each) {
  guarded(connection_->path, [&] {
    SQLite::Statement& statement = connection_->prepared(sql);
    for (size_t i = 0; i < values.size(); ++i) statement.bind(static_cast<int>(i) + 1, values[i]);
    const Row row(statement);
    while (statement.executeStep()) each(row);
    statement.reset();
  });
}

bool Results::Row::is_null(int column) const {
  return statement_.getColumn(column).isNull();
}
int64_t Results::Row::integer(int column) const {
  return statement_.getColumn(column).getInt64();
}
double Results::Row::number(int column) const {
  return statement_.getColumn(column).getDouble();
}
std::string_view Results::Row::text(int column) const {
  const SQLite::Column value = statement_.getColumn(column);
  const char* text = value.getText();
  return {text, static_cast<size_t>(value.getBytes())};
}
Json Results::Row::value(int column) const {
  const SQLite::Column value = statement_.getColumn(column);
  if (value.isNull()) return nullptr;
  if (value.isInteger()) return value.getInt64();
  if (value.isFloat()) return value.getDouble();
  return std::string(text(column));
}

}  // namespace vantage::explore
