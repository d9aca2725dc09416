// What proves a front: a file with the designs that were measured, and of all others what rules them out.
//
// Thread safety: functions without state.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "explore/explore.h"
#include "hw/fpga/part.h"

namespace vantage::explore {

// What was asked for, in words that can be asked again.
struct Question {
  std::string space;                   // the file's text
  std::vector<std::string> workloads;  // names
  std::vector<std::string> minimize;   // names of objectives
  std::string version, effort;         // of the tool, and of the search
  std::string energy = {};             // a JSON file, or a name from configs/energy; empty: none was needed
  uint64_t seed = 1;
  std::optional<fpga::Part> part = {};  // that designs must fit
  // What names stand for (inputs_of): the same question with other files is another one.
  std::map<std::string, std::string> inputs = {};
};

// The SHA-256 of the base and the memories of a space, and what workloads are made of, by what they are called.
std::map<std::string, std::string> inputs_of(const Space& space, const std::vector<Workload>& workloads);

struct Certificate {
  Question question;
  ExploreResult result;
  // What a file that was read says of the space: how many points it has, and designs, as JSON, by their points.
  struct Shown {
    uint64_t points = 0;
    std::map<uint64_t, std::string> designs = {};
  };
  std::optional<Shown> shown = {};
};

Json to_json(const Certificate& certificate, const Space& space);
// Throws Error, naming `source` and the key.
Certificate parse_certificate(std::string_view text, const std::string& source);

// The points that were asked about: those that do not fit the part are no designs. `configs` as for Space::parse();
// throws Error, naming `source`.
Space space_of(const Question& question, const std::string& source, const std::filesystem::path& configs);

// What is wrong with it, a line each; none: every point of the space is no design, measured, or ruled out by one that
// was, and the front is that of the measured ones. `space` is that of the question. All bounds are computed anew, and
// all that follows from the space is compared; what was measured is believed. `energy` is the question's, or null.
// `done` is told how many points were looked at.
std::vector<std::string> mistakes_of(const Certificate& certificate, const Space& space,
                                     const std::vector<Workload>& workloads,
                                     const energy::EnergyModel* energy = nullptr,
                                     const std::function<void(uint64_t)>& done = nullptr);

}  // namespace vantage::explore
