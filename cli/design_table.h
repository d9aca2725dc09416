// Designs beside each other, from a database of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "cli/energy_option.h"
#include "cli/part_option.h"
#include "explore/database.h"
#include "explore/sweep.h"
#include "hw/energy/energy.h"

namespace vantage::cli {

// What a design came to on a workload.
struct DesignRow {
  std::string workload, name, config, memory;  // `name`: as it is shown
  int64_t clock_mhz = 0, bus_bytes = 0;
  std::string error = {};                     // why there are no cycles
  uint64_t cycles = 0, bound = 0, bytes = 0;  // of the accelerator
  double ms = 0, useful_utilisation = 0;      // multiplications that the workload asks for, by those there could be
  int64_t left_layers = 0;                    // that the accelerator does not take, and
  double left_ms = 0;                         // what a processor beside it takes for them, roughly
  int64_t design = 0, workload_id = 0;        // in the database
  std::optional<energy::Energy> energy = {};  // of the accelerator, where it was asked for
  std::string technology = {};                // that it is by, and
  uint64_t useful = 0;                        // multiplications of the workload
  std::optional<DesignFit> fit = {};          // of a part, where one was given
};

// Of each workload of a sweep so many of its designs that take the least time for it.
std::vector<DesignRow> fastest(explore::Database& database, const explore::SweepResult& sweep, uint64_t count);

// Why designs of a sweep cannot have a workload, and how many.
struct Unable {
  std::string error;
  uint64_t designs;
};
std::vector<Unable> unable(explore::Database& database, const explore::SweepResult& sweep);

// Of one design and one workload, by their numbers in the database. REQUIRES: it was swept
DesignRow row_of(explore::Database& database, int64_t design, int64_t workload);

// Whether each fits, by estimate; nothing where there is no part.
void add_fits(explore::Database& database, const fpga::PartFit* part, std::vector<DesignRow>& rows);

// What all that have cycles spend, if the option was given.
void add_energy(explore::Database& database, const EnergyOption& option, std::vector<DesignRow>& rows);

// A table for each workload, in the order of the rows.
std::string table(const std::vector<DesignRow>& rows);
Json to_json(const std::vector<DesignRow>& rows);

}  // namespace vantage::cli
