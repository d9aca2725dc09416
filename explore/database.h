// Designs and what they came to, in a file of SQLite that others can read meanwhile.
//
// Whatever was recorded stays, even when the process is killed: each member that writes ends with what it wrote
// recorded, or does so with the transaction that is under way.
//
// Thread safety: one thread at a time; one process at a time writes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "explore/evaluate.h"
#include "explore/space.h"
#include "explore/workload.h"

namespace vantage::explore {

// What programs of which tool, found with which effort, count.
struct Method {
  std::string version, effort;
};

class Database {
 public:
  // Opens a file, or makes it. All members throw Error, naming the file and what to do: when it is none of ours, of
  // another version, being written by another process, or cannot be written further.
  explicit Database(const std::filesystem::path& path);
  // Where an error ends what the file was made for before it has a design, it goes again.
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::filesystem::path& path() const { return path_; }

  int64_t add_sweep(const std::string& space, const std::vector<std::string>& workloads, const std::string& version);
  void set_rejections(int64_t sweep, const std::vector<std::pair<Rejection, uint64_t>>& counted);

  // From now on the sweep has no points; then, one of its points. False where another one is the same design.
  void clear_points(int64_t sweep);
  bool add_point(int64_t sweep, uint64_t number, int64_t design);

  // A design that is there already keeps its number; so do the others.
  struct DesignId {
    int64_t design, core;
  };
  DesignId add(const Design& design);
  int64_t add_core(const Design& design);
  int64_t add_workload(const std::string& name, const std::string& content, const Method& method);

  bool has_layers(int64_t design, int64_t workload);
  void add_layers(int64_t design, int64_t workload, const Layers& layers);
  // The design cannot have the workload.
  void add_unable(int64_t design, int64_t workload, const std::string& error);

  // Of a design's layers those of which no program is known, or one that died.
  struct OpenLayer {
    int64_t number, task;
    std::string text;  // of the task, JSON
  };
  std::vector<OpenLayer> open_layers(int64_t design, int64_t workload);
  void set_program(int64_t design, int64_t workload, int64_t number, int64_t program);
  // What a run of a layer spends, by the model of this name; replaces what is there.
  // Throws Error when energies are here by a model of this name that says something else.
  void use_energy_model(const std::string& name, const std::string& content);
  void set_energy(int64_t design, int64_t workload, int64_t number, const std::string& model, double pj);
  int64_t add_task(const std::string& text);  // by what it computes (ops::key)
  // What came of a task's program on a core.
  struct Known {
    int64_t program;
    std::optional<Evaluation> result;  // its cycles, counts and needs alone
    std::string error;                 // without a result: why
    bool died;                         // it may be tried again
  };
  std::optional<Known> known(int64_t core, int64_t task, const Method& method);
  // What is there is not replaced, but for what died.
  void add_result(int64_t core, int64_t task, const Method& method, const Evaluation& result);
  void add_failure(int64_t core, int64_t task, const Method& method, const std::string& error, bool died = false);

  // Several changes as one.
  class Transaction {
   public:
    explicit Transaction(Database& database);
    ~Transaction();  // undoes it, unless it was committed
    void commit();

   private:
    Database& database_;
    bool committed_ = false;
  };

  // All rows of a query, a list each, with these numbers and texts for its question marks; for tables and reports.
  std::vector<std::vector<Json>> query(const std::string& sql, const std::vector<Json>& values);
  std::vector<std::vector<Json>> query(const std::string& sql);

 private:
  struct Connection;
  const std::filesystem::path path_;
  const bool was_made_;
  const int errors_before_;  // that are under way
  std::unique_ptr<Connection> connection_;
};

}  // namespace vantage::explore
