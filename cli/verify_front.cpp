#include "cli/verify_front.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "base/installation.h"
#include "base/json.h"
#include "cli/energy_option.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/wrap.h"
#include "explore/account.h"
#include "explore/certificate.h"
#include "explore/schema.h"

namespace vantage::cli {

namespace {

constexpr Bytes kLargestCertificate{1 << 30};

// A design that was measured: all of it, or some of its programs, which was enough to rule it out.
struct Claim {
  uint64_t number;
  const std::vector<double>* values = nullptr;                  // of all of it
  const std::vector<explore::MeasuredLayer>* layers = nullptr;  // of some
};

struct Claims {
  std::vector<Claim> front, others;
  uint64_t size() const { return front.size() + others.size(); }
};

Claims claims_of(const explore::ExploreResult& result) {
  Claims claims;
  for (const explore::Measured* one : explore::designs_on_front(result.measured)) {
    claims.front.push_back({one->number, &one->values});
  }
  for (const explore::Measured& one : result.measured) {
    if (!one.on_front) claims.others.push_back({one.number, &one.values});
  }
  for (const explore::RuledOut& one : result.ruled_out) {
    if (!one.measured.empty()) claims.others.push_back({.number = one.first, .layers = &one.measured});
  }
  return claims;
}

// So many of them, half of the front where there are as many, and evenly among both.
std::vector<Claim> chosen_of(const Claims& claims, uint64_t count) {
  count = std::min<uint64_t>(count, claims.size());
  const uint64_t of_others = std::min<uint64_t>(
      std::max(count / 2, count - std::min<uint64_t>(count, claims.front.size())), claims.others.size());
  std::vector<Claim> chosen;
  const auto choose = [&](const std::vector<Claim>& from, uint64_t some) {
    for (uint64_t i = 0; i < some; ++i) chosen.push_back(from[i * from.size() / some]);
  };
  choose(claims.front, count - of_others);
  choose(claims.others, of_others);
  return chosen;
}

// Runs designs again, and compares.
class Measuring {
 public:
  Measuring(const SweepArguments& how, const explore::Certificate& certificate, const explore::Space& space,
            const std::vector<explore::Workload>& workloads, const energy::EnergyModel* energy)
      : how_(how),
        question_(certificate.question),
        space_(space),
        workloads_(workloads),
        energy_(energy),
        bounds_(workloads),
        folder_(how.scratch()),
        database_(folder_.path() / "again.sqlite") {}

  // What is not as it is said. `stopped` where a signal ended it.
  struct Found {
    std::vector<std::string> mistakes = {};
    bool stopped = false;
  };
  Found run(const std::vector<Claim>& claims) {
    std::vector<explore::Design> designs;
    for (const Claim& claim : claims) designs.push_back(*space_.at(claim.number).design);
    if (designs.empty()) return {};
    const explore::SweepResult result = how_.run(explore::Space::of(designs), workloads_, database_);
    if (result.stopped) return {.stopped = true};
    if (result.failed > 0) fail("what was measured was not run again: {}", result.failure);
    for (size_t i = 0; i < claims.size(); ++i) compare(claims[i], designs[i], result);
    return {.mistakes = std::move(mistakes_)};
  }

 private:
  static bool is_same(double one, double other) {
    constexpr double kRounding = 1e-9;  // of sums in another order
    return std::abs(one - other) <= kRounding * std::abs(other);
  }

  void compare(const Claim& claim, const explore::Design& design, const explore::SweepResult& result) {
    const explore::BoundedLayers& layers = bounds_.of(design);
    const std::vector<explore::MeasuredLayer> all =
        measured(database_.add(design).design, result, explore::Account(design, layers, energy_));
    if (all.size() != layers.layers.size()) {
      mistakes_.push_back(
          fmt::format("point {}: it has {} programs, and not {}", claim.number, all.size(), layers.layers.size()));
      return;
    }
    if (claim.layers != nullptr) {
      for (const explore::MeasuredLayer& layer : *claim.layers) {
        const explore::MeasuredLayer& is = all.at(layer.place);
        if (layer.cycles == is.cycles && is_same(layer.pj, is.pj)) continue;
        mistakes_.push_back(fmt::format("point {}: program {} is said to take {} cycles and {} pJ, and takes {} and {}",
                                        claim.number, layer.place, layer.cycles, layer.pj, is.cycles, is.pj));
      }
      return;
    }
    const explore::Spent spent = explore::sum_of(all, layers);
    for (size_t i = 0; i < question_.minimize.size(); ++i) {
      const double value = explore::find_objective(question_.minimize[i]).value(design, spent);
      if (is_same((*claim.values)[i], value)) continue;
      mistakes_.push_back(fmt::format("point {}: {} is said to be {}, and is {}", claim.number, question_.minimize[i],
                                      (*claim.values)[i], value));
    }
  }

  // Of all workloads, in the order of the bounds.
  std::vector<explore::MeasuredLayer> measured(int64_t design, const explore::SweepResult& result,
                                               const explore::Account& account) {
    std::vector<explore::MeasuredLayer> all;
    for (const int64_t workload : result.workloads) {
      for (const auto& row :
           database_.query("SELECT cycles, " + explore::count_columns() +
                               " FROM layer_results WHERE design = ? AND workload = ? ORDER BY number",
                           {design, workload})) {
        explore::Evaluation evaluation;
        auto column = row.begin();
        evaluation.cycles = *column++;
        explore::each_count(evaluation, [&](std::string_view, uint64_t& count) { count = *column++; });
        all.push_back(account.measured(all.size(), evaluation));
      }
    }
    return all;
  }

  const SweepArguments& how_;
  const explore::Question& question_;
  const explore::Space& space_;
  const std::vector<explore::Workload>& workloads_;
  const energy::EnergyModel* energy_;
  explore::Bounds bounds_;
  TemporaryDirectory folder_;
  explore::Database database_;
  std::vector<std::string> mistakes_;
};

// What it proves, and what that rests on.
std::string proved(const std::string& file, const explore::Certificate& c, uint64_t again, uint64_t claims) {
  const auto on_front = std::ranges::count_if(c.result.measured, &explore::Measured::on_front);
  std::string text =
      fmt::format("{}: proves that {} of {}", file,
                  on_front == 1 ? "its design is the front" : fmt::format("its {} designs are the front", on_front),
                  counted(c.shown->points, "point"));
  if (again == claims) return text + fmt::format("; {} measured for it, and run again", were(claims, "design"));
  return text + fmt::format(
                    ", if the {} that it measured, wholly or in part, take what it says; {} run again "
                    "(--measure-again N)",
                    counted(claims, "design"), again == 1 ? "1 of them was" : fmt::format("{} of them were", again));
}

}  // namespace

int verify_front(const SweepArguments& arguments, const std::string& file, uint64_t again, bool json) {
  const explore::Certificate c = explore::parse_certificate(read_file(file, kLargestCertificate), file);
  const explore::Space space = explore::space_of(c.question, file, data_folder() / "configs");
  SweepArguments how = arguments;
  how.workloads = c.question.workloads;
  how.effort = c.question.effort;
  how.seed = c.question.seed;
  if (const std::string version = how.method().version; version != c.question.version) {
    print_error("note: {} is of version {}, and this is {}: programs may take other cycles\n", file, c.question.version,
                version);
  }
  EnergyOption energy(c.question.energy);
  energy.load();
  const std::vector<explore::Workload> workloads = how.find_workloads();
  std::vector<std::string> mistakes;
  {
    Progress progress("points", space.size());
    mistakes =
        explore::mistakes_of(c, space, workloads, energy.model(), [&](uint64_t points) { progress.advance(points); });
  }
  const Claims claims = claims_of(c.result);
  const std::vector<Claim> chosen = chosen_of(claims, again);
  if (mistakes.empty()) {
    const auto found = Measuring(how, c, space, workloads, energy.model()).run(chosen);
    if (found.stopped) return tell_stopped(false);
    mistakes = found.mistakes;
  }
  if (json) {
    print_out("{}\n", json_text({{"certificate", file},
                                 {"points", space.size()},
                                 {"measured", claims.size()},
                                 {"measured_again", chosen.size()},
                                 {"mistakes", mistakes}}));
  } else {
    for (const std::string& mistake : mistakes) print_out("{}", wrapped(mistake, 0));
    if (mistakes.empty()) print_out("{}", wrapped(proved(file, c, chosen.size(), claims.size()), 0));
  }
  return mistakes.empty() ? 0 : 1;
}

}  // namespace vantage::cli
