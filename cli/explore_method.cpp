#include "cli/explore_method.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/json.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/wrap.h"

namespace vantage::cli {

void ExploreMethod::add_to(CLI::App& app) {
  app.add_option(
         "--method", name_,
         "how designs are found: all of them are looked at, with a proof (exact); or the best are, of any number "
         "of points, by evolution (evolve) or drawn at random (random), without one")
      ->type_name("NAME")
      ->check(one_of({"exact", "evolve", "random"}))
      ->capture_default_str();
  designs_option_ = app.add_option("--designs", designs_, "with evolve and random: designs that are measured")
                        ->check(whole_number(1, 1'000'000))
                        ->capture_default_str();
  seed_option_ = app.add_option("--method-seed", seed_,
                                "with evolve and random: another seed makes other choices, the same one the same")
                     ->check(whole_number(0, UINT64_MAX))
                     ->capture_default_str();
}

void ExploreMethod::check(bool has_certificate, bool verifies) const {
  if (verifies && !is_exact()) fail("--method {}: there is no proof of it to --verify; leave one out", name_);
  if (is_exact()) {
    for (const CLI::Option* option : {designs_option_, seed_option_}) {
      if (option->count() == 0) continue;
      fail("{} is for --method evolve and --method random; name one, or leave it out", option->get_name());
    }
  } else if (has_certificate) {
    fail("--certificate: --method {} proves nothing; leave it out, or take --method exact", name_);
  }
}

explore::SearchOptions ExploreMethod::options() const {
  using Method = explore::SearchOptions::Method;
  return {.method = name_ == "random" ? Method::kRandom : Method::kEvolve, .designs = designs_, .seed = seed_};
}

std::string ExploreMethod::text(const explore::SearchResult& result, const explore::Space& space) const {
  uint64_t rejected = 0;
  for (const auto& [rejection, points] : result.rejections) rejected += points;
  std::string text =
      fmt::format("{}: {} measured", counted(space.size(), "point"), were(result.measured.size(), "design"));
  if (result.ruled_out > 0) text += fmt::format(", {} ruled out when some of their programs were", result.ruled_out);
  if (rejected > 0) text += fmt::format("; {} points that were looked at are no designs", rejected);
  text += fmt::format(". {} run. ", were(result.programs, "program"));
  // Points are drawn each once.
  if (result.is_exhausted && name_ == "random") {
    return wrapped(text + "Every point was looked at: no design here beats these. --method exact has a proof of it.",
                   0);
  }
  if (result.is_exhausted) text += "There was no other design to propose. ";
  text +=
      fmt::format("Nothing is proved: designs that were not measured may beat these. --method exact proves a front{}",
                  result.is_exhausted ? "." : "; more --designs may find better ones.");
  return wrapped(text, 0);
}

Json ExploreMethod::json(const explore::SearchResult& result, const explore::Question& question,
                         const explore::Space& space) const {
  Json measured = Json::array(), rejections = Json::array();
  for (const explore::Measured& m : result.measured) {
    measured.push_back({{"point", m.number}, {"values", m.values}, {"on_front", m.on_front}});
    if (m.on_front) measured.back()["design"] = to_json(*space.at(m.number).design);
  }
  for (const auto& [rejection, points] : result.rejections) {
    rejections.push_back({{"reason", rejection.reason}, {"points", points}});
    if (!rejection.detail.empty()) rejections.back()["example"] = rejection.detail;
  }
  return {{"method", name_},
          {"method_seed", seed_},
          {"workloads", question.workloads},
          {"minimize", question.minimize},
          {"version", question.version},
          {"search", question.effort},
          {"seed", question.seed},
          {"points", space.size()},
          {"chosen", result.chosen},
          {"ruled_out", result.ruled_out},
          {"undecided", result.undecided.designs},
          {"rejections", std::move(rejections)},
          {"programs", result.programs},
          {"exhausted", result.is_exhausted},
          {"measured", std::move(measured)}};
}

}  // namespace vantage::cli
