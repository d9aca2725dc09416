#include "explore/database.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <thread>

#include "base/error.h"
#include "base/json.h"
#include "base/open_file.h"
#include "explore/database_file.h"
#include "explore/objectives.h"
#include "explore/schema.h"
#include "hw/isa/rtl_package.h"

namespace vantage::explore {

namespace fs = std::filesystem;

namespace {

// A lock that one process at a time holds, on a byte of the file that SQLite does not use (it has those from 2^30 on).
// It belongs to the opened file and not to the process, as SQLite's do, which closing it would release.
OpenFile locked_file(const fs::path& path) {
  OpenFile file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (file.get() < 0)
    fail("{}: {}; name a file in a folder that can be written to", path.string(), std::strerror(errno));
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = 0x7f000000;
  lock.l_len = 1;
  // A worker of one that was killed holds it until it knows.
  constexpr int kTries = 50;
  for (int i = 0; i < kTries; ++i) {
    if (::fcntl(file.get(), F_OFD_SETLK, &lock) == 0) return file;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  fail("{}: another process writes to it; wait for its end, or take another file", path.string());
}

}  // namespace

struct Database::Connection {
  // Absolute, as SQLite has names of its own, such as :memory:.
  explicit Connection(const fs::path& file)
      : path(file), lock(locked_file(file)), db(fs::absolute(file).string(), SQLite::OPEN_READWRITE, 10'000) {}

  // The statement of this text, ready for new values.
  SQLite::Statement& prepared(const std::string& sql) {
    auto& statement = statements[sql];
    if (statement == nullptr) statement = std::make_unique<SQLite::Statement>(db, sql);
    statement->reset();
    statement->clearBindings();
    return *statement;
  }
  template <typename... Values>
  void execute(const std::string& sql, const Values&... values) {
    SQLite::Statement& statement = prepared(sql);
    SQLite::bind(statement, values...);
    statement.exec();
    statement.reset();
  }
  template <typename... Values>
  std::optional<int64_t> number(const std::string& sql, const Values&... values) {
    SQLite::Statement& statement = prepared(sql);
    SQLite::bind(statement, values...);
    std::optional<int64_t> found;
    if (statement.executeStep()) found = statement.getColumn(0).getInt64();
    statement.reset();  // ends the reading
    return found;
  }
  int64_t last() { return db.getLastInsertRowid(); }

  fs::path path;
  OpenFile lock;
  SQLite::Database db;
  std::map<std::string, std::unique_ptr<SQLite::Statement>> statements;  // by their text
};

namespace {

// ", ?" for each of so many values.
std::string placeholders(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += ", ?";
  return text;
}

// The same columns of what could not be inserted.
std::string excluded(const std::string& columns) {
  std::string text;
  for (size_t begin = 0; begin < columns.size();) {
    const size_t end = std::min(columns.find(", ", begin), columns.size());
    text += (text.empty() ? "excluded." : ", excluded.") + columns.substr(begin, end - begin);
    begin = end + 2;
  }
  return text;
}

}  // namespace

Database::Database(const fs::path& path)
    : path_(path), was_made_(!fs::exists(path)), errors_before_(std::uncaught_exceptions()) {
  guarded(path, [&] {
    connection_ = std::make_unique<Connection>(path);
    SQLite::Database& db = connection_->db;
    const bool is_new = db.execAndGet("SELECT COUNT(*) FROM sqlite_master").getInt() == 0;
    if (!is_new) require_our_tables(path, db);
    db.exec("PRAGMA journal_mode = WAL");
    db.exec("PRAGMA synchronous = NORMAL");
    if (is_new) {
      SQLite::Transaction whole(db);
      db.exec(schema());
      db.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
      db.exec("PRAGMA user_version = " + std::to_string(kSchemaVersion));
      whole.commit();
    }
  });
}

Database::~Database() {
  if (!was_made_ || std::uncaught_exceptions() == errors_before_) return;
  try {
    if (connection_->db.execAndGet("SELECT COUNT(*) FROM designs").getInt() > 0) return;
    connection_.reset();
    std::error_code none;  // it may be gone
    fs::remove(path_, none);
  } catch (const SQLite::Exception&) {
    // The error that is under way says more.
  }
}

int64_t Database::add_sweep(const std::string& space, const std::vector<std::string>& workloads,
                            const std::string& version) {
  return guarded(connection_->path, [&] {
    const std::string names = Json(workloads).dump();
    const auto known = connection_->number("SELECT id FROM sweeps WHERE space = ? AND workloads = ? AND version = ?",
                                           space, names, version);
    if (known) return *known;
    connection_->execute("INSERT INTO sweeps (space, workloads, version) VALUES (?, ?, ?)", space, names, version);
    return connection_->last();
  });
}

void Database::set_rejections(int64_t sweep, const std::vector<std::pair<Rejection, uint64_t>>& counted) {
  guarded(connection_->path, [&] {
    Transaction whole(*this);
    connection_->execute("DELETE FROM rejections WHERE sweep = ?", sweep);
    for (const auto& [rejection, points] : counted) {
      connection_->execute("INSERT INTO rejections VALUES (?, ?, ?, ?)", sweep, rejection.reason,
                           static_cast<int64_t>(points), rejection.detail);
    }
    whole.commit();
  });
}

void Database::clear_points(int64_t sweep) {
  guarded(connection_->path, [&] { connection_->execute("DELETE FROM points WHERE sweep = ?", sweep); });
}

bool Database::add_point(int64_t sweep, uint64_t number, int64_t design) {
  return guarded(connection_->path, [&] {
    const auto known = connection_->number("SELECT 1 FROM points WHERE sweep = ? AND design = ?", sweep, design);
    if (known) return false;
    connection_->execute("INSERT INTO points VALUES (?, ?, ?)", sweep, design, static_cast<int64_t>(number));
    return true;
  });
}

Database::DesignId Database::add(const Design& design) {
  return guarded(connection_->path, [&] {
    const isa::Config& config = design.config;
    const std::string config_text = config.to_json().dump(), memory_text = design.memory.to_json().dump();
    SQLite::Statement& known = connection_->prepared("SELECT id, core FROM designs WHERE config = ? AND memory = ?");
    SQLite::bind(known, config_text, memory_text);
    if (known.executeStep()) {
      const DesignId id{known.getColumn(0).getInt64(), known.getColumn(1).getInt64()};
      known.reset();
      return id;
    }
    known.reset();
    const int64_t core = add_core(design);
    const fpga::Resources area = area_of(config);
    connection_->execute(
        "INSERT INTO designs (core, name, config_hash, clock_mhz, macs, bus_bytes, memory_name, config, memory, luts, "
        "flip_flops, dsps, block_rams) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        core, config.name(), fmt::format("{:016x}", isa::hardware_hash(config)), config.clock_mhz(),
        config.batch() * config.block_in() * config.block_out(), static_cast<int64_t>(config.bus_width().count()),
        design.memory.name, config_text, memory_text, static_cast<int64_t>(area.luts),
        static_cast<int64_t>(area.flip_flops), static_cast<int64_t>(area.dsps), static_cast<int64_t>(area.block_rams));
    return DesignId{connection_->last(), core};
  });
}

int64_t Database::add_core(const Design& design) {
  return guarded(connection_->path, [&] {
    const std::string core = core_of(design);
    const auto known = connection_->number("SELECT id FROM cores WHERE core = ?", core);
    if (known) return *known;
    connection_->execute("INSERT INTO cores (core) VALUES (?)", core);
    return connection_->last();
  });
}

int64_t Database::add_workload(const std::string& name, const std::string& content, const Method& method) {
  return guarded(connection_->path, [&] {
    const auto known =
        connection_->number("SELECT id FROM workloads WHERE name = ? AND version = ? AND effort = ? AND content = ?",
                            name, method.version, method.effort, content);
    if (known) return *known;
    connection_->execute("INSERT INTO workloads (name, version, effort, content) VALUES (?, ?, ?, ?)", name,
                         method.version, method.effort, content);
    return connection_->last();
  });
}

bool Database::has_layers(int64_t design, int64_t workload) {
  return guarded(connection_->path, [&] {
    return connection_->number("SELECT 1 FROM parted WHERE design = ? AND workload = ?", design, workload).has_value();
  });
}

void Database::add_layers(int64_t design, int64_t workload, const Layers& layers) {
  guarded(connection_->path, [&] {
    int64_t number = 0;
    for (const Layer& layer : layers.accelerator) {
      connection_->execute("INSERT INTO layers VALUES (?, ?, ?, ?, ?, ?, ?, NULL)", design, workload, number++,
                           layer.name, add_task(ops::key(layer.task)), static_cast<int64_t>(layer.repeats),
                           static_cast<int64_t>(layer.useful));
    }
    double seconds = 0;
    for (const LeftLayer& left : layers.processor) seconds += left.seconds;
    const std::string example =
        layers.processor.empty() ? "" : layers.processor[0].name + ": " + layers.processor[0].reason;
    connection_->execute("INSERT INTO parted VALUES (?, ?, NULL, ?, ?, ?)", design, workload,
                         static_cast<int64_t>(layers.processor.size()), seconds, example);
  });
}

void Database::add_unable(int64_t design, int64_t workload, const std::string& error) {
  guarded(connection_->path,
          [&] { connection_->execute("INSERT INTO parted VALUES (?, ?, ?, 0, 0, NULL)", design, workload, error); });
}

std::vector<Database::OpenLayer> Database::open_layers(int64_t design, int64_t workload) {
  return guarded(connection_->path, [&] {
    SQLite::Statement& statement = connection_->prepared(
        "SELECT l.number, t.id, t.task FROM layers l JOIN tasks t ON t.id = l.task WHERE l.design = ? AND l.workload = "
        "? "
        "AND (l.program IS NULL OR EXISTS (SELECT 1 FROM programs p WHERE p.id = l.program AND p.died = 1))");
    SQLite::bind(statement, design, workload);
    std::vector<OpenLayer> all;
    while (statement.executeStep()) {
      all.push_back(
          {statement.getColumn(0).getInt64(), statement.getColumn(1).getInt64(), statement.getColumn(2).getString()});
    }
    statement.reset();
    return all;
  });
}

void Database::set_program(int64_t design, int64_t workload, int64_t number, int64_t program) {
  guarded(connection_->path, [&] {
    connection_->execute("UPDATE layers SET program = ? WHERE design = ? AND workload = ? AND number = ?", program,
                         design, workload, number);
  });
}

void Database::use_energy_model(const std::string& name, const std::string& content) {
  const auto known = query("SELECT content FROM energy_models WHERE name = ?", {name});
  if (!known.empty() && known[0][0] != content) {
    fail("{}: its energies of {} are by another file, or by that file as it was; give this one another \"name\"",
         path_.string(), name);
  }
  guarded(connection_->path,
          [&] { connection_->execute("INSERT OR IGNORE INTO energy_models VALUES (?, ?)", name, content); });
}

void Database::set_energy(int64_t design, int64_t workload, int64_t number, const std::string& model, double pj) {
  guarded(connection_->path, [&] {
    connection_->execute("INSERT OR REPLACE INTO energies VALUES (?, ?, ?, ?, ?)", design, workload, number, model, pj);
  });
}

int64_t Database::add_task(const std::string& text) {
  return guarded(connection_->path, [&] {
    const auto known = connection_->number("SELECT id FROM tasks WHERE task = ?", text);
    if (known) return *known;
    connection_->execute("INSERT INTO tasks (task) VALUES (?)", text);
    return connection_->last();
  });
}

std::optional<Database::Known> Database::known(int64_t core, int64_t task, const Method& method) {
  return guarded(connection_->path, [&]() -> std::optional<Known> {
    static const std::string kSelect = "SELECT id, error, died, cycles, " + count_columns() + ", " + needs_columns() +
                                       " FROM programs WHERE core = ? AND task = ? AND version = ? AND effort = ?";
    SQLite::Statement& statement = connection_->prepared(kSelect);
    SQLite::bind(statement, core, task, method.version, method.effort);
    std::optional<Known> known;
    if (statement.executeStep()) {
      known.emplace();
      known->program = statement.getColumn(0).getInt64();
      if (!statement.getColumn(1).isNull()) known->error = statement.getColumn(1).getString();
      known->died = statement.getColumn(2).getInt64() == 1;  // as the queries have it
      if (!statement.getColumn(3).isNull()) {
        Evaluation& result = known->result.emplace();
        int place = 3;
        result.cycles = static_cast<uint64_t>(statement.getColumn(place++).getInt64());
        each_count(result, [&](std::string_view, uint64_t& count) {
          count = static_cast<uint64_t>(statement.getColumn(place++).getInt64());
        });
        for (const Need& need : kNeeds) result.needs.*need.value = statement.getColumn(place++).getInt();
      }
    }
    statement.reset();
    return known;
  });
}

void Database::add_result(int64_t core, int64_t task, const Method& method, const Evaluation& result) {
  guarded(connection_->path, [&] {
    static const std::string kColumns =
        "cycles, bound, binds, instructions, " + count_columns() + ", " + needs_columns();
    static const std::string kInsert = "INSERT INTO programs (core, task, version, effort, " + kColumns +
                                       ") VALUES (?, ?, ?, ?, ?, ?, ?, ?" +
                                       placeholders(isa::kCounters.size() + core::kActivity.size() + kNeeds.size()) +
                                       ") ON CONFLICT DO UPDATE SET (error, died, " + kColumns + ") = (NULL, 0, " +
                                       excluded(kColumns) + ") WHERE died = 1";
    SQLite::Statement& insert = connection_->prepared(kInsert);
    SQLite::bind(insert, core, task, method.version, method.effort, static_cast<int64_t>(result.cycles),
                 static_cast<int64_t>(result.bound), result.binds, static_cast<int64_t>(result.instructions));
    int place = 9;
    each_count(result, [&](std::string_view, uint64_t count) { insert.bind(place++, static_cast<int64_t>(count)); });
    for (const Need& need : kNeeds) insert.bind(place++, result.needs.*need.value);
    insert.exec();
    insert.reset();
  });
}

void Database::add_failure(int64_t core, int64_t task, const Method& method, const std::string& error, bool died) {
  guarded(connection_->path, [&] {
    connection_->execute(
        "INSERT INTO programs (core, task, version, effort, error, died) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO "
        "UPDATE SET error = excluded.error, died = excluded.died WHERE died = 1",
        core, task, method.version, method.effort, error, died ? 1 : 0);
  });
}

Database::Transaction::Transaction(Database& database) : database_(database) {
  guarded(database_.connection_->path, [&] { database_.connection_->db.exec("BEGIN IMMEDIATE"); });
}

Database::Transaction::~Transaction() {
  if (committed_) return;
  try {
    database_.connection_->db.exec("ROLLBACK");
  } catch (const SQLite::Exception&) {
    // SQLite has undone it already, as when the disk is full.
  }
}

void Database::Transaction::commit() {
  guarded(database_.connection_->path, [&] { database_.connection_->db.exec("COMMIT"); });
  committed_ = true;
}

std::vector<std::vector<Json>> Database::query(const std::string& sql) {
  return query(sql, {});
}

std::vector<std::vector<Json>> Database::query(const std::string& sql, const std::vector<Json>& values) {
  return guarded(connection_->path, [&] {
    SQLite::Statement statement(connection_->db, sql);
    for (size_t i = 0; i < values.size(); ++i) {
      const int place = static_cast<int>(i) + 1;
      if (values[i].is_string()) {
        statement.bind(place, values[i].get<std::string>());
      } else {
        statement.bind(place, values[i].get<int64_t>());
      }
    }
    std::vector<std::vector<Json>> rows;
    while (statement.executeStep()) {
      std::vector<Json>& row = rows.emplace_back();
      for (int i = 0; i < statement.getColumnCount(); ++i) {
        const SQLite::Column column = statement.getColumn(i);
        if (column.isNull()) {
          row.emplace_back(nullptr);
        } else if (column.isInteger()) {
          row.emplace_back(column.getInt64());
        } else if (column.isFloat()) {
          row.emplace_back(column.getDouble());
        } else {
          row.emplace_back(column.getString());
        }
      }
    }
    return rows;
  });
}

}  // namespace vantage::explore
