#include "explore/proposer.h"

#include <algorithm>
#include <cmath>

namespace vantage::explore {

namespace {

constexpr size_t kPopulation = 64;
constexpr double kNoDesign = 1e6;  // more than the logarithm of any value

std::vector<double> logarithms(std::vector<double> values) {
  for (double& value : values) value = std::log(std::max(value, 1e-300));
  return values;
}

}  // namespace

void Proposer::learn(uint64_t number, const Spent& spent) {
  const Design design = *space_.at(number).design;
  correction_.learn(design, measurer_.least(design, measurer_.bounds_of(design)), spent);
}

std::vector<uint64_t> Proposer::propose(size_t count, const Front& front, const std::unordered_set<uint64_t>& tried) {
  std::erase_if(open_, [&](const BoundedDesign& design) {
    return tried.contains(design.number) || front.beats(design.at_least) != nullptr;
  });
  seen_.clear();
  places_.clear();
  std::vector<Genome> genomes = start(front, tried);
  std::vector<uint64_t> numbers;
  if (!genomes.empty()) {
    last_ = evolve(space_.sizes(), std::move(genomes),
                   [&](const Genome& genome) { return look_at(genome, front, tried).expected; },
                   {.seed = static_cast<unsigned>(mixed(seed_ + ++round_))});
    numbers = best(count, front);
  }
  if (numbers.size() < count) add_drawn(count, front, tried, numbers);
  return numbers;
}

// Parents: the front, the last generation, and half of new ones, so that it never comes to rest in one place.
std::vector<Genome> Proposer::start(const Front& front, const std::unordered_set<uint64_t>& tried) {
  std::vector<Genome> genomes;
  const auto& best = front.designs();
  const size_t parents = std::min(best.size(), kPopulation / 4);
  for (size_t i = 0; i < parents; ++i) genomes.push_back(space_.places_of(best[i * best.size() / parents].number));
  for (size_t i = 0; i < last_.size() && genomes.size() < kPopulation / 2; ++i) genomes.push_back(last_[i]);
  while (genomes.size() < kPopulation) {
    std::optional<BoundedDesign> drawn = draws_.next();
    if (!drawn) break;
    genomes.push_back(space_.places_of(drawn->number));
    if (!tried.contains(drawn->number) && front.beats(drawn->at_least) == nullptr) open_.push_back(std::move(*drawn));
  }
  return genomes;
}

std::vector<double> Proposer::expected(const BoundedDesign& design) const {
  return logarithms(measurer_.values(design.design, correction_.expected(design.design, design.least)));
}

const Proposer::Seen& Proposer::look_at(const Genome& genome, const Front& front,
                                        const std::unordered_set<uint64_t>& tried) {
  const uint64_t number = space_.number_of(genome);
  const auto [place, is_new] = places_.emplace(number, seen_.size());
  if (!is_new) return seen_[place->second];
  std::optional<Rejection> rejection;
  std::optional<BoundedDesign> design;
  if (!stop_.stop_requested()) design = bounded_design(space_, number, measurer_, rejection);
  if (!design) {
    seen_.push_back({number, std::vector<double>(measurer_.objectives(), kNoDesign), false});
  } else {
    const bool is_open = !tried.contains(number) && front.beats(design->at_least) == nullptr;
    seen_.push_back({number, expected(*design), is_open});
  }
  return seen_.back();
}

std::vector<uint64_t> Proposer::best(size_t count, const Front& front) const {
  std::vector<std::vector<double>> ahead;
  for (const Measured& measured : front.designs()) ahead.push_back(logarithms(measured.values));
  // Those that would join the front come before those that would not.
  std::vector<uint64_t> numbers;
  for (const bool joins : {true, false}) {
    std::vector<std::vector<double>> values;
    std::vector<uint64_t> of;
    for (const Seen& seen : seen_) {
      if (!seen.is_open) continue;
      const bool is_beaten = std::ranges::any_of(ahead, [&](const auto& a) { return dominates(a, seen.expected); });
      if (is_beaten == joins) continue;
      values.push_back(seen.expected);
      of.push_back(seen.number);
    }
    for (const size_t i : select_best(values, count - numbers.size())) numbers.push_back(of[i]);
    if (numbers.size() == count) break;
  }
  return numbers;
}

// In the order in which they were drawn. All points of a small space come by here in the end.
void Proposer::add_drawn(size_t count, const Front& front, const std::unordered_set<uint64_t>& tried,
                         std::vector<uint64_t>& numbers) {
  const auto add = [&](uint64_t number) {
    if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
  };
  for (size_t i = 0; i < open_.size() && numbers.size() < count; ++i) add(open_[i].number);
  constexpr int kPatience = 100'000;
  for (int misses = 0; numbers.size() < count && misses < kPatience; ++misses) {
    const std::optional<BoundedDesign> drawn = draws_.next();
    if (!drawn) return;
    if (!tried.contains(drawn->number) && front.beats(drawn->at_least) == nullptr) add(drawn->number);
  }
}

}  // namespace vantage::explore
