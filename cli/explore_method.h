// How `vantage explore` looks for designs: all of them, with a proof, or some that are chosen.
#pragma once

#include <cstdint>
#include <string>

#include "base/json_fwd.h"
#include "explore/certificate.h"
#include "explore/search.h"
#include "explore/space.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace vantage::cli {

class ExploreMethod {
 public:
  // --method, --designs and --method-seed.
  void add_to(CLI::App& app);
  // Throws Error where options do not go together.
  void check(bool has_certificate, bool verifies) const;

  bool is_exact() const { return name_ == "exact"; }
  explore::SearchOptions options() const;

  // What a search has found for a question: in words below its front, or as JSON.
  std::string text(const explore::SearchResult& result, const explore::Space& space) const;
  Json json(const explore::SearchResult& result, const explore::Question& question, const explore::Space& space) const;

 private:
  std::string name_ = "exact";
  uint64_t designs_ = 100, seed_ = 1;
  CLI::Option* designs_option_ = nullptr;
  CLI::Option* seed_option_ = nullptr;
};

}  // namespace vantage::cli
