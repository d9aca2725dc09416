#include "explore/search.h"

#include <algorithm>
#include <unordered_set>

#include "base/error.h"
#include "explore/measurer.h"
#include "explore/proposer.h"
#include "explore/rejections.h"

namespace vantage::explore {

namespace {

class Search {
 public:
  Search(const Space& space, const std::vector<Workload>& workloads, const std::vector<Objective>& minimize,
         Database& database, const SweepOptions& options, const SearchOptions& how)
      : space_(space),
        options_(options),
        how_(how),
        measurer_(workloads, minimize, database, options),
        draws_(space, measurer_, rejections_, how.seed, options.stop),
        proposer_(space, measurer_, draws_, how.seed, options.stop) {}

  SearchResult run() && {
    while (!is_stopped() && result_.chosen < how_.designs) {
      const std::vector<uint64_t> numbers = evolves() ? proposer_.propose(batch(), front_, tried_) : drawn(batch());
      if (numbers.empty()) break;
      measure(numbers);
    }
    result_.stopped = is_stopped();
    result_.is_exhausted = !result_.stopped && result_.chosen < how_.designs;
    for (Measured& measured : result_.measured) measured.on_front = front_.beats(measured.values) == nullptr;
    result_.rejections = rejections_.counted();
    result_.programs = measurer_.programs();
    if (!result_.stopped && result_.measured.empty() && result_.undecided.designs == 0) refuse();
    return std::move(result_);
  }

 private:
  bool is_stopped() const { return options_.stop.stop_requested(); }
  bool evolves() const { return how_.method == SearchOptions::Method::kEvolve; }

  // Few at first, so that soon something is known; then a part of those that are known, so that many can run at a time.
  // It does not depend on how many do, and neither does what is found.
  size_t batch() const {
    const uint64_t size = std::clamp<uint64_t>(result_.chosen / 8, 4, 256);
    return static_cast<size_t>(std::min(size, how_.designs - result_.chosen));
  }

  std::vector<uint64_t> drawn(size_t count) {
    std::vector<uint64_t> numbers;
    while (numbers.size() < count) {
      const auto design = draws_.next();
      if (!design) break;
      numbers.push_back(design->number);
    }
    return numbers;
  }

  // What rules designs out meanwhile is the front from before: the order in which programs end does not matter then.
  void measure(const std::vector<uint64_t>& numbers) {
    const auto rules_out = [&](const std::vector<double>& at_least) {
      return evolves() && front_.beats(at_least) != nullptr;
    };
    std::vector<Ended> all;
    size_t next = 0;
    while ((next < numbers.size() || measurer_.active() > 0) && !is_stopped()) {
      while (next < numbers.size() && measurer_.active() < measurer_.wanted()) begin(numbers[next++]);
      measurer_.advance(rules_out, [&](Ended ended) { all.push_back(std::move(ended)); });
      if (options_.progress) options_.progress(result_.chosen + all.size(), how_.designs, measurer_.programs());
    }
    if (is_stopped()) return;
    for (const uint64_t number : numbers) {
      const auto ended = std::ranges::find(all, number, &Ended::number);
      if (ended != all.end()) take(std::move(*ended));
    }
  }

  void begin(uint64_t number) {
    tried_.insert(number);
    if (const auto rejection = measurer_.begin(number, *space_.at(number).design)) rejections_.add(*rejection);
  }

  void take(Ended ended) {
    ++result_.chosen;
    if (ended.how == Ended::How::kFailed) {
      rejections_.add(*ended.rejection);
      return;
    }
    if (ended.how == Ended::How::kDied) {
      if (result_.undecided.designs++ == 0) result_.undecided.why = ended.why;
      return;
    }
    if (evolves()) proposer_.learn(ended.number, ended.spent);
    if (ended.how == Ended::How::kRuledOut) {
      ++result_.ruled_out;
      return;
    }
    result_.measured.push_back({ended.number, std::move(ended.values), 1e3 * ended.spent.left_seconds});
    result_.after.push_back(result_.chosen);
    front_.add(result_.measured.back());
  }

  [[noreturn]] void refuse() const {
    if (draws_.points() == space_.size()) rejections_.refuse(draws_.points());
    rejections_.refuse(draws_.points(), " among those that were looked at",
                       "; parameters with fewer values, or constraints that hold more often, would do");
  }

  const Space& space_;
  const SweepOptions& options_;
  const SearchOptions& how_;
  Measurer measurer_;
  Rejections rejections_;
  Draws draws_;
  Proposer proposer_;
  Front front_;
  std::unordered_set<uint64_t> tried_;
  SearchResult result_;
};

}  // namespace

SearchResult search(const Space& space, const std::vector<Workload>& workloads, const std::vector<Objective>& minimize,
                    Database& database, const SweepOptions& options, const SearchOptions& how) {
  return Search(space, workloads, minimize, database, options, how).run();
}

}  // namespace vantage::explore
