// Fronts: the same as when every design is measured, and proofs that hold where they should alone.
#include "explore/explore.h"

#include <map>
#include <set>
#include <utility>

#include "base/json.h"
#include "explore/bounds.h"
#include "explore/certificate.h"
#include "explore/schema.h"
#include "explore/search.h"
#include "explore/worker.h"
#include "hw/fpga/area/part_fit.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/effort.h"
#include "tests/support/temporary.h"

namespace vantage::test::explore_explore_test {

using namespace vantage;
using explore::Certificate;
using explore::Database;
using explore::Objective;
using explore::Space;
using explore::Workload;

namespace {

constexpr const char* kSpace = R"({"parameters": {"LOG_BLOCK_IN": [3, 4], "LOG_ACC_BUFF_SIZE": [11, 13],
  "LOG_INP_BUFF_SIZE": [10], "LOG_WGT_BUFF_SIZE": [11, 15], "CLOCK_MHZ": [100, 150]}})";

// 1,024 designs.
constexpr const char* kLargeSpace = R"({"parameters": {"LOG_BATCH": [0, 1], "LOG_BLOCK_IN": [3, 4],
  "LOG_BLOCK_OUT": [3, 4], "LOG_UOP_BUFF_SIZE": [5, 10], "LOG_INP_BUFF_SIZE": {"from": 8, "to": 11},
  "LOG_WGT_BUFF_SIZE": {"from": 10, "to": 13}, "LOG_ACC_BUFF_SIZE": [10, 13], "LOG_BUS_WIDTH": [6, 7]}})";

Space space(const char* text = kSpace) {
  return Space::parse(text, "space.json", test::source_dir() / "configs");
}

// Of the second, cores with wide tiles leave more to the processor than they gain.
std::vector<Workload> workloads() {
  std::vector<Workload> both = {explore::find_workload("gemm:8x32x32"), explore::find_workload("gemm:2x50x20")};
  both[1].layers = [all = both[1].layers](const explore::Design& design) {
    explore::Layers layers = all(design);
    if (design.config.block_in() > 8) layers.processor.push_back({"left", "for the test", 1.0});
    return layers;
  };
  return both;
}

explore::SweepOptions options(const std::string& effort = "quick") {
  static const auto kModel = energy::EnergyModel::load(test::source_dir() / "configs" / "energy" / "45nm.json");
  return {.version = "test",
          .effort = effort,
          .engine = explore::worker_processes({{test::cli_path(), "worker"}, {test::cli_path(), "worker"}}),
          .energy = &kModel};
}

std::vector<Objective> minimize(const std::vector<std::string>& names) {
  std::vector<Objective> all;
  for (const std::string& name : names) all.push_back(explore::find_objective(name));
  return all;
}

explore::Question question(const char* text, const std::vector<std::string>& names,
                           const std::string& effort = "quick") {
  return {.space = text,
          .workloads = {"gemm:8x32x32", "gemm:2x50x20"},
          .minimize = names,
          .version = "test",
          .effort = effort,
          .energy = "45nm",
          .inputs = explore::inputs_of(space(text), workloads())};
}

std::set<uint64_t> front_of(const explore::ExploreResult& result) {
  std::set<uint64_t> front;
  for (const auto& measured : result.measured) {
    if (measured.on_front) front.insert(measured.number);
  }
  return front;
}

// By measuring everything.
std::set<uint64_t> brute_force(const Space& all, const std::vector<Objective>& objectives, Database& database,
                               const explore::SweepOptions& options) {
  explore::sweep(all, workloads(), database, options);
  std::map<uint64_t, std::vector<double>> values;
  for (uint64_t number = 0; number < all.size(); ++number) {
    const auto design = all.at(number).design;
    if (!design) continue;
    explore::Spent spent;
    for (const auto& row : database.query("SELECT repeats, cycles, " + explore::count_columns() +
                                              " FROM layer_results WHERE design = ? ORDER BY workload, number",
                                          {database.add(*design).design})) {
      const auto repeats = row[0].get<double>();
      explore::Evaluation e;
      e.cycles = row[1];
      auto column = row.begin() + 2;
      explore::each_count(e, [&](std::string_view, uint64_t& count) { count = *column++; });
      const auto energy = options.energy->spent(design->config, e.counters, e.activity, Cycles(e.cycles));
      spent.cycles += repeats * static_cast<double>(e.cycles);
      spent.pj += repeats * energy.total_pj();
    }
    for (const auto& row :
         database.query("SELECT left_ms FROM results WHERE design = ?", {database.add(*design).design})) {
      spent.left_seconds += 1e-3 * row[0].get<double>();
    }
    for (const Objective& objective : objectives) values[number].push_back(objective.value(*design, spent));
  }
  std::set<uint64_t> front;
  for (const auto& [number, mine] : values) {
    const bool is_beaten =
        std::ranges::any_of(values, [&](const auto& other) { return explore::dominates(other.second, mine); });
    if (!is_beaten) front.insert(number);
  }
  return front;
}

// Workers, and of what they are given one program that kills whoever runs it. What any of them answered before is
// answered again at once: programs give the same each time.
class WithAKiller final : public explore::Engine {
 public:
  using Answers = std::map<std::string, explore::Outcome>;

  WithAKiller(const explore::EngineStarter& workers, uint64_t killer, Answers& answers)
      : workers_(workers()), killer_(killer), answers_(answers) {}
  size_t slots() const override { return workers_->slots(); }
  size_t under_way() const override { return workers_->under_way() + ready_.size(); }
  bool has_room() const override { return workers_->has_room() && ready_.size() < slots(); }
  void submit(uint64_t job, std::string line) override {
    if (const auto known = answers_.find(line); known != answers_.end()) {
      ready_.push_back(known->second);
      ready_.back().job = job;
    } else {
      lines_[job] = line;
      workers_->submit(job, std::move(line));
    }
  }
  std::vector<explore::Outcome> wait(std::chrono::milliseconds timeout) override {
    std::vector<explore::Outcome> outcomes = std::exchange(ready_, {});
    if (outcomes.empty()) {
      outcomes = workers_->wait(timeout);
      for (const explore::Outcome& outcome : outcomes) answers_.emplace(lines_.at(outcome.job), outcome);
    }
    for (explore::Outcome& outcome : outcomes) {
      if (outcome.job == killer_) outcome = {killer_, std::nullopt, "killed", true};
    }
    return outcomes;
  }

 private:
  std::unique_ptr<explore::Engine> workers_;
  uint64_t killer_;
  Answers& answers_;
  std::map<uint64_t, std::string> lines_;  // of what workers have
  std::vector<explore::Outcome> ready_;
};

}  // namespace

TEST_CASE("a front is that of all designs measured, whatever is minimized", "[unit]") {
  const test::TemporaryFolder folder;
  Database everything(folder.path() / "all.sqlite");
  for (const std::vector<std::string>& names : {std::vector<std::string>{"cycles", "scratchpad_bytes"},
                                                {"ms", "macs"},
                                                {"cycles"},
                                                {"total_ms", "scratchpad_bytes"},
                                                {"ms", "energy_mj"},
                                                {"edp"},
                                                {"ms", "macs", "scratchpad_bytes"}}) {
    INFO(Json(names).dump());
    const std::vector<Objective> objectives = minimize(names);
    // The first time alone, then where all programs were run.
    std::optional<Database> alone;
    if (names.size() == 2 && names[0] == "cycles") alone.emplace(folder.path() / "alone.sqlite");
    const std::string effort = names.size() == 1 ? "shared" : "quick";
    const auto result =
        explore::explore(space(), workloads(), objectives, alone ? *alone : everything, options(effort));
    const std::set<uint64_t> expected = brute_force(space(), objectives, everything, options(effort));
    CHECK(front_of(result) == expected);
    if (names[0] == "ms" && names[1] == "macs") CHECK(result.measured.size() < result.designs);
    for (const uint64_t number : expected) {
      if (names[0] == "total_ms") CHECK(space().at(number).design->config.block_in() == 8);
    }
    const Certificate proof{question(kSpace, names, effort), result};
    CHECK(explore::mistakes_of(proof, space(), workloads(), options().energy).empty());
  }
}

TEST_CASE("designs whose programs died are ruled out by others, or nothing is proved", "[unit]") {
  const test::TemporaryFolder folder;
  const std::vector<std::string> names = {"cycles", "scratchpad_bytes"};
  const std::vector<Objective> objectives = minimize(names);
  Database healthy(folder.path() / "healthy.sqlite");
  const auto expected = explore::explore(space(), workloads(), objectives, healthy, options());
  WithAKiller::Answers answers;
  size_t undecided = 0;
  for (uint64_t killer = 0; killer < expected.programs; ++killer) {
    INFO(killer);
    Database database(folder.path() / fmt::format("{}.sqlite", killer));
    explore::SweepOptions dying = options();
    dying.engine = [&, workers = dying.engine] { return std::make_unique<WithAKiller>(workers, killer, answers); };
    const auto result = explore::explore(space(), workloads(), objectives, database, dying);
    CHECK(result.designs == expected.designs);
    if (result.undecided.designs == 0) {
      CHECK(front_of(result) == front_of(expected));
      CHECK(explore::mistakes_of({question(kSpace, names), result}, space(), workloads(), options().energy).empty());
    } else {
      ++undecided;
      CHECK(result.undecided.why == "killed");
      // What died is tried again, and the rest is known.
      const auto again = explore::explore(space(), workloads(), objectives, database, options());
      CHECK(again.undecided.designs == 0);
      CHECK(front_of(again) == front_of(expected));
    }
    const auto found = explore::search(space(), workloads(), objectives, database, dying,
                                       {.method = explore::SearchOptions::Method::kRandom, .designs = 16});
    CHECK(found.measured.size() + found.undecided.designs == 16);
  }
  CHECK(undecided > 0);
}

TEST_CASE("where 1024 designs share programs, a front is that of all of them measured", "[slow]") {
  const test::TemporaryFolder folder;
  Database everything(folder.path() / "all.sqlite"), alone(folder.path() / "alone.sqlite");
  const Space all = space(kLargeSpace);
  // Brief searches share programs as others do; what is found by longer ones is no other question.
  const std::vector<std::vector<std::string>> questions = {
      {"cycles", "luts", "block_rams"}, {"luts", "energy_mj"}, {"cycles", "macs", "scratchpad_bytes"}};
  for (size_t q = 0; q < std::min<size_t>(questions.size(), test::seeds(1)); ++q) {
    const std::vector<std::string>& names = questions[q];
    INFO(Json(names).dump());
    const std::vector<Objective> objectives = minimize(names);
    const auto result = explore::explore(all, workloads(), objectives, alone, options("brief"));
    CHECK(result.designs > 900);
    CHECK(front_of(result) == brute_force(all, objectives, everything, options("brief")));
    const Certificate proof{question(kLargeSpace, names, "brief"), result};
    CHECK(explore::mistakes_of(proof, all, workloads(), options().energy).empty());
  }
}

TEST_CASE("a proof is read as it was written, and one that was changed does not hold", "[unit]") {
  const test::TemporaryFolder folder;
  Database database(folder.path() / "d.sqlite");
  const std::vector<std::string> names = {"ms", "scratchpad_bytes"};
  Certificate proof{question(kSpace, names), {}};
  proof.result = explore::explore(space(), workloads(), minimize(names), database, options());
  const std::string text = explore::to_json(proof, space()).dump();
  const Certificate read = explore::parse_certificate(text, "front.json");
  CHECK(explore::to_json(read, space()).dump() == text);
  CHECK(explore::mistakes_of(read, space(), workloads(), options().energy).empty());

  const auto mistake_of = [&](const auto& change) {
    Certificate changed = read;
    change(changed);
    const auto mistakes = explore::mistakes_of(changed, space(), workloads(), options().energy);
    return mistakes.empty() ? std::string() : mistakes[0];
  };
  const auto mistake = [&](const auto& change) { return mistake_of([&](Certificate& c) { change(c.result); }); };
  CHECK_THAT(mistake_of([](auto& c) { c.question.inputs["memory m64"] = "0"; }),
             ContainsSubstring("memory m64: is another one than that which the proof is about"));
  CHECK_THAT(mistake_of([](auto& c) { c.question.inputs.erase("gemm:2x50x20"); }),
             ContainsSubstring("gemm:2x50x20: the proof does not say which one it is about"));
  CHECK_THAT(mistake_of([](auto& c) { c.shown->points = 1000; }),
             ContainsSubstring("said to have 1000 points, and has 16"));
  CHECK_THAT(mistake_of([](auto& c) { c.shown->designs.begin()->second += " "; }),
             ContainsSubstring("is another design than the one that is shown"));
  CHECK_THAT(mistake([](auto& r) { r.designs = 15; }), ContainsSubstring("said to have 15 designs, and has 16"));
  CHECK_THAT(mistake([](auto& r) { r.measured.push_back(r.measured[0]); }), ContainsSubstring("measured twice"));
  CHECK_THAT(mistake([](auto& r) { r.measured[0].left_ms = 1; }), ContainsSubstring("what stays on a processor"));
  CHECK_THAT(mistake([](auto& r) { r.ruled_out.back().last = 1'000'000; }), ContainsSubstring("are no run of points"));
  CHECK_THAT(mistake([](auto& r) { r.ruled_out[0].at_least[0] = 1e12; }), ContainsSubstring("1000000000000 at least"));
  REQUIRE(read.result.ruled_out.size() > 1);
  CHECK_THAT(mistake([](auto& r) { r.ruled_out.erase(r.ruled_out.begin() + 1); }),
             ContainsSubstring("neither measured nor ruled out"));
  CHECK_THAT(mistake([](auto& r) { r.ruled_out[0].beaten_by = r.ruled_out[0].first; }),
             ContainsSubstring("which was not measured"));
  const auto on_front = [](auto& r) {
    return std::ranges::find_if(r.measured, [](const auto& m) { return m.on_front; });
  };
  CHECK_THAT(mistake([&](auto& r) { on_front(r)->on_front = false; }),
             ContainsSubstring("is said to be behind the front"));
  CHECK_THAT(mistake([&](auto& r) { r.measured.erase(on_front(r)); }), ContainsSubstring("point"));
  for (explore::Measured& measured : proof.result.measured) measured.values[0] /= 100;
  const auto faster = explore::mistakes_of(proof, space(), workloads(), options().energy);
  REQUIRE(!faster.empty());
  CHECK_THAT(faster[0], ContainsSubstring("at least"));
}

TEST_CASE("a design that takes nothing of a workload is none", "[unit]") {
  const test::TemporaryFolder folder;
  Database database(folder.path() / "d.sqlite");
  const std::vector<Workload> nothing = {{"net", "", [](const explore::Design&) {
                                            return explore::Layers{{}, {{"dense", "a processor is faster", 0}}};
                                          }}};
  CHECK_THAT(ERROR_OF(explore::explore(space(), nothing, minimize({"cycles"}), database, options())),
             ContainsSubstring("net: the accelerator takes nothing of it; dense: a processor is faster"));
}

TEST_CASE("the front of those that fit a part is that of all of them measured, and its proof holds the part",
          "[unit]") {
  // What 16 by 8 multipliers and the deeper accumulators take is too much for the first, and nothing for the second.
  fpga::Part small{"small", "small-1", "xc7", 30'000, 50'000, 120, 75, "a test"};
  const test::TemporaryFolder folder;
  Database database(folder.path() / "d.sqlite");
  const std::vector<std::string> names = {"cycles", "scratchpad_bytes"};
  Space some = space();
  some.require_fit(fpga::PartFit(small));
  Certificate proof{question(kSpace, names), {}};
  proof.question.part = small;
  proof.question.energy.clear();
  proof.result = explore::explore(some, workloads(), minimize(names), database, options());
  CHECK(proof.result.designs > 0);
  CHECK(proof.result.designs < 16);
  REQUIRE(proof.result.rejections.size() == 1);
  CHECK(proof.result.rejections[0].first.reason.starts_with("does not fit the small: "));
  CHECK(proof.result.rejections[0].second == 16 - proof.result.designs);
  CHECK(front_of(proof.result) == brute_force(some, minimize(names), database, options()));

  const auto configs = test::source_dir() / "configs";
  const auto mistakes = [&](const Certificate& c) {
    const auto all = explore::mistakes_of(c, explore::space_of(c.question, "front.json", configs), workloads());
    return all.empty() ? std::string() : all[0];
  };
  const std::string text = explore::to_json(proof, some).dump();
  Certificate read = explore::parse_certificate(text, "front.json");
  CHECK(read.question.part == small);
  CHECK(explore::to_json(read, some).dump() == text);
  CHECK(mistakes(read).empty());
  // Of all designs it proves nothing, nor where the part has no room for what is said to be measured.
  read.question.part.reset();
  CHECK_THAT(mistakes(read), ContainsSubstring("neither measured nor ruled out"));
  small.block_rams = 5;
  read.question.part = small;
  CHECK_THAT(mistakes(read), ContainsSubstring("is said to be measured, and is no design: a point does not fit"));
  read.result.measured[0].number = 16;
  CHECK_THAT(mistakes(read), ContainsSubstring("the space has 16 points"));
}

TEST_CASE("a proof holds where designs without room lie among those that are ruled out", "[unit]") {
  // The second of these cannot have lenet: a row of a pool's windows fits no 16 accumulators. It is the smallest.
  constexpr const char* kText = R"({"parameters": {"LOG_ACC_BUFF_SIZE": [13, 10, 14]}})";
  const std::vector<Workload> lenet = {explore::find_workload("lenet")};
  const std::vector<std::string> names = {"scratchpad_bytes"};
  const double bytes = explore::find_objective(names[0]).value(*space(kText).at(0).design, {});
  const double left_ms = 1e3 * explore::Bounds(lenet).of(*space(kText).at(0).design).left_seconds;
  explore::ExploreResult result{
      .designs = 2, .measured = {{0, {bytes}, left_ms, true}}, .ruled_out = {{1, 2, 0, {bytes}}}};
  Certificate proof{{kText, {"lenet"}, names, "test", "quick", "", 1}, std::move(result)};
  proof.question.inputs = explore::inputs_of(space(kText), lenet);
  CHECK(explore::mistakes_of(proof, space(kText), lenet).empty());
  const std::vector<Workload> smaller = {explore::find_workload("gemm:8x32x32")};
  proof.question.inputs = explore::inputs_of(space(kText), smaller);
  proof.result.measured[0].left_ms = 0;
  CHECK_THAT(explore::mistakes_of(proof, space(kText), smaller).at(0), ContainsSubstring("does not beat"));
}

TEST_CASE("a design that is two points of a space is on the front once", "[unit]") {
  const test::TemporaryFolder folder;
  Database database(folder.path() / "d.sqlite");
  for (const char* text : {R"({"points": [{}, {"CLOCK_MHZ": 100}, {"LOG_BLOCK_OUT": 3}]})",
                           R"({"parameters": {"LOG_BLOCK_OUT": [3, 4], "LOG_BATCH": [0, 1], "LOG_BUS_WIDTH": [6, 7]},
            "sample": {"method": "latin-hypercube", "count": 8, "seed": 1}})"}) {
    const Space all = space(text);
    const std::vector<std::string> names = {"cycles", "macs"};
    const auto result = explore::explore(all, workloads(), minimize(names), database, options());
    std::set<std::string> designs;
    uint64_t points = 0;
    for (uint64_t number = 0; number < all.size(); ++number) {
      const auto design = all.at(number).design;
      if (!design) continue;
      ++points;
      designs.insert(explore::to_json(*design).dump());
    }
    CHECK(designs.size() < points);
    CHECK(result.designs == designs.size());
    Certificate proof{question(text, names), result};
    CHECK(explore::mistakes_of(proof, all, workloads()).empty());
    // Its other number is nobody to beat others by.
    if (all.size() > 3) continue;
    proof.result.measured.push_back({1, {0, 0}, 0, true});
    CHECK_THAT(Json(explore::mistakes_of(proof, all, workloads())).dump(),
               ContainsSubstring("point 1: is said to be measured, and another number has the same"));
  }
}

TEST_CASE("what is no proof is refused", "[unit]") {
  CHECK_THAT(ERROR_OF(explore::parse_certificate("{", "f.json")), ContainsSubstring("f.json"));
  CHECK_THAT(ERROR_OF(explore::parse_certificate(R"({"format": "vantage front 1"})", "f.json")),
             ContainsSubstring("vantage front 2"));
  CHECK_THAT(ERROR_OF(explore::find_objective("cycle")), ContainsSubstring("did you mean 'cycles'?"));
}

}  // namespace vantage::test::explore_explore_test
