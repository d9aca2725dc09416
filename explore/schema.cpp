#include "explore/schema.h"

#include <fmt/format.h>

#include "explore/evaluate.h"
#include "hw/isa/counters.h"

namespace vantage::explore {

namespace {

// COUNTS_AS_INTEGERS, COUNTS_OF_P, SUMS_OF_COUNTS and BYTES_OF_P stand for columns of what is counted,
// NEEDS_AS_INTEGERS for those of kNeeds; RESULT(x) AS, a line each, for x where all programs are there.
constexpr const char* kTables = R"(
CREATE TABLE sweeps (           -- each time that designs were asked for
  id INTEGER PRIMARY KEY,
  space TEXT NOT NULL,          -- JSON, as it was given
  workloads TEXT NOT NULL,      -- JSON, a list of names
  version TEXT NOT NULL,        -- of the tool
  started TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;
CREATE TABLE rejections (       -- points that are no design
  sweep INTEGER NOT NULL REFERENCES sweeps,
  reason TEXT NOT NULL,
  points INTEGER NOT NULL,
  example TEXT NOT NULL,
  PRIMARY KEY (sweep, reason)
) STRICT, WITHOUT ROWID;
CREATE TABLE cores (            -- what of designs cycles depend on: no clock, no names
  id INTEGER PRIMARY KEY,
  core TEXT NOT NULL UNIQUE     -- JSON
) STRICT;
CREATE TABLE designs (
  id INTEGER PRIMARY KEY,
  core INTEGER NOT NULL REFERENCES cores,
  name TEXT NOT NULL,           -- of the configuration, 1x16_i8w8a32_15_15_18_17
  config_hash TEXT NOT NULL,    -- of the hardware, 16 digits, as bitstreams and `vantage synth` have it
  clock_mhz INTEGER NOT NULL,
  macs INTEGER NOT NULL,        -- multiplications of a GEMM step
  bus_bytes INTEGER NOT NULL,   -- of a beat, each way
  memory_name TEXT NOT NULL,
  config TEXT NOT NULL,         -- JSON
  memory TEXT NOT NULL,         -- JSON, in cycles
  luts INTEGER NOT NULL, flip_flops INTEGER NOT NULL, dsps INTEGER NOT NULL,
  block_rams INTEGER NOT NULL,  -- of an FPGA of Series 7, by estimate
  UNIQUE (config, memory)
) STRICT;
CREATE TABLE points (           -- which of them are points of a sweep, by the number there
  sweep INTEGER NOT NULL REFERENCES sweeps,
  design INTEGER NOT NULL REFERENCES designs,
  number INTEGER NOT NULL,
  PRIMARY KEY (sweep, design)
) STRICT, WITHOUT ROWID;
CREATE TABLE workloads (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  version TEXT NOT NULL,        -- of the tool that parted it, whose programs count
  effort TEXT NOT NULL,         -- of the search for programs (effort.h)
  content TEXT NOT NULL,        -- the seed of a network, and of a file its SHA-256
  UNIQUE (name, version, effort, content)
) STRICT;
CREATE TABLE tasks (            -- what one program computes
  id INTEGER PRIMARY KEY,
  task TEXT NOT NULL UNIQUE     -- JSON
) STRICT;
CREATE TABLE programs (         -- what running one came to
  id INTEGER PRIMARY KEY,
  core INTEGER NOT NULL REFERENCES cores,
  task INTEGER NOT NULL REFERENCES tasks,
  version TEXT NOT NULL,
  effort TEXT NOT NULL,
  error TEXT,                   -- why there is no result
  died INTEGER NOT NULL DEFAULT 0 CHECK (died IN (0, 1)),  -- by a machine's or a process's fault: it is tried again
  cycles INTEGER,
  bound INTEGER,                -- that no schedule takes fewer than
  binds TEXT,
  instructions INTEGER,
  COUNTS_AS_INTEGERS,           -- the counters of docs/isa.md, and what scratchpads did (docs/energy.md)
  NEEDS_AS_INTEGERS,            -- how deep scratchpads must be for it, as logarithms
  UNIQUE (core, task, version, effort)
) STRICT;
CREATE TABLE layers (           -- of a workload on a design, each program once
  design INTEGER NOT NULL REFERENCES designs,
  workload INTEGER NOT NULL REFERENCES workloads,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  task INTEGER NOT NULL REFERENCES tasks,
  repeats INTEGER NOT NULL,
  useful INTEGER NOT NULL,      -- multiplications, of one run
  program INTEGER REFERENCES programs,  -- what was found for it, on this core or on one with more room
  PRIMARY KEY (design, workload, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE energies (         -- what a run of a layer spends, by energy models that sweeps were given
  design INTEGER NOT NULL REFERENCES designs,
  workload INTEGER NOT NULL REFERENCES workloads,
  number INTEGER NOT NULL,      -- of the layer
  model TEXT NOT NULL,          -- its name
  pj REAL NOT NULL,
  PRIMARY KEY (design, workload, number, model)
) STRICT, WITHOUT ROWID;
CREATE TABLE energy_models (    -- which model a name is
  name TEXT PRIMARY KEY,
  content TEXT NOT NULL         -- the SHA-256 of what it says
) STRICT, WITHOUT ROWID;
CREATE TABLE parted (           -- of which design and workload the layers are there
  design INTEGER NOT NULL REFERENCES designs,
  workload INTEGER NOT NULL REFERENCES workloads,
  error TEXT,                   -- why the design cannot have it
  left_layers INTEGER NOT NULL, -- that the accelerator does not take,
  left_seconds REAL NOT NULL,   -- what a processor beside it takes for them, roughly,
  left_example TEXT,            -- and one of them, with the reason
  PRIMARY KEY (design, workload)
) STRICT, WITHOUT ROWID;

CREATE VIEW layer_results AS
SELECT l.design, l.workload, w.name AS workload_name, w.version, w.effort, d.name AS design_name, d.config_hash,
  d.luts, d.flip_flops, d.dsps, d.block_rams, l.number, l.name, l.repeats, l.task, p.error,
  p.cycles, p.bound, p.binds, p.instructions, COUNTS_OF_P, BYTES_OF_P AS nbytes,
  p.cycles * l.repeats AS total_cycles, l.useful,
  CAST(l.useful AS REAL) / (p.cycles * d.macs) AS useful_utilisation,
  CAST(p.gemm_counter AS REAL) / p.cycles AS padded_utilisation
FROM layers l JOIN designs d ON d.id = l.design JOIN workloads w ON w.id = l.workload
  LEFT JOIN programs p ON p.id = l.program;

CREATE VIEW results AS          -- one row a design and workload; what is counted is NULL until all programs are there
SELECT r.design, r.workload, w.name AS workload_name, w.version, w.effort, d.name, d.config_hash, d.clock_mhz, d.memory_name, d.macs, d.bus_bytes,
  d.luts, d.flip_flops, d.dsps, d.block_rams,
  RESULT(SUM(l.cycles * l.repeats)) AS cycles,
  RESULT(SUM(l.cycles * l.repeats) / (1000.0 * d.clock_mhz)) AS ms,
  RESULT(SUM(l.cycles * l.repeats) / (1000.0 * d.clock_mhz) + 1000.0 * r.left_seconds) AS total_ms,
  RESULT(SUM(l.bound * l.repeats)) AS bound,
  RESULT(SUM(l.nbytes * l.repeats)) AS nbytes,
  RESULT(CAST(SUM(l.useful * l.repeats) AS REAL) / (SUM(l.cycles * l.repeats) * d.macs)) AS useful_utilisation,
  RESULT(CAST(SUM(l.gemm_counter * l.repeats) AS REAL) / SUM(l.cycles * l.repeats)) AS padded_utilisation,
  COUNT(*) AS programs, r.left_layers, 1000.0 * r.left_seconds AS left_ms, COALESCE(r.error, MAX(l.error)) AS error
FROM parted r JOIN designs d ON d.id = r.design JOIN workloads w ON w.id = r.workload
  LEFT JOIN layer_results l ON l.design = r.design AND l.workload = r.workload
GROUP BY r.design, r.workload;

CREATE VIEW energy_results AS   -- of a workload on a design, by a model, where all programs are there
SELECT r.design, r.workload, r.workload_name, r.name, r.config_hash, r.version, r.effort, e.model, r.cycles, r.ms,
  1e-9 * SUM(e.pj * l.repeats) AS energy_mj, 1e-9 * SUM(e.pj * l.repeats) / r.ms AS watts,
  1e-15 * SUM(e.pj * l.repeats) * r.ms AS edp
FROM results r JOIN layers l ON l.design = r.design AND l.workload = r.workload
  JOIN energies e ON e.design = l.design AND e.workload = l.workload AND e.number = l.number
WHERE r.cycles IS NOT NULL GROUP BY r.design, r.workload, e.model;

CREATE VIEW result_counts AS    -- what all programs of a workload count together, where all of them are there
SELECT l.design, l.workload, SUM(l.useful * l.repeats) AS useful, SUMS_OF_COUNTS
FROM layer_results l GROUP BY l.design, l.workload HAVING COUNT(l.cycles) = COUNT(*);
)";

constexpr const char* kResult = "RESULT(";

const Evaluation kNothing;  // for its names

void replace(std::string& text, const std::string& what, const std::string& by) {
  text.replace(text.find(what), what.size(), by);
}

// What crosses the bus.
std::string sum_of_bytes(const std::string& before) {
  std::string sum;
  for (const isa::CounterInfo& info : isa::kCounters) {
    if (info.name.ends_with("_nbytes")) sum += (sum.empty() ? "" : " + ") + before + std::string(info.name);
  }
  return sum;
}

std::string sums_of_counts() {
  std::string columns;
  each_count(kNothing, [&](std::string_view name, uint64_t) {
    columns += fmt::format("{0}SUM(l.{1} * l.repeats) AS {1}", columns.empty() ? "" : ", ", name);
  });
  return columns;
}

}  // namespace

std::string schema() {
  std::string text = kTables;
  replace(text, "COUNTS_AS_INTEGERS", count_columns("", " INTEGER"));
  replace(text, "NEEDS_AS_INTEGERS", needs_columns(" INTEGER"));
  replace(text, "COUNTS_OF_P", count_columns("p."));
  replace(text, "SUMS_OF_COUNTS", sums_of_counts());
  replace(text, "BYTES_OF_P", sum_of_bytes("p."));
  for (size_t begin = 0; (begin = text.find(kResult, begin)) != std::string::npos;) {
    text.insert(text.rfind(") AS ", text.find('\n', begin)) + 1, " END");
    replace(text, kResult, "CASE WHEN COUNT(l.cycles) = COUNT(*) THEN (");
  }
  return text;
}

std::string needs_columns(const std::string& behind) {
  std::string columns;
  for (const Need& need : kNeeds) columns += (columns.empty() ? "" : ", ") + std::string(need.name) + behind;
  return columns;
}

std::string count_columns(const std::string& before, const std::string& behind) {
  std::string columns;
  each_count(kNothing, [&](std::string_view name, uint64_t) {
    columns += (columns.empty() ? "" : ", ") + before + std::string(name) + behind;
  });
  return columns;
}

}  // namespace vantage::explore
