#include "sim/profile/waves.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace vantage::sim {

namespace {

constexpr int kCountBits = 16;
constexpr int kIndexBits = 32;

// "load->compute tokens" as an identifier.
std::string identifier(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("->")) {
      result += "_to_";
      ++i;
    } else {
      result += text[i] == ' ' ? '_' : text[i];
    }
  }
  return result;
}

// The short name by which a VCD file refers to a signal: printable characters.
std::string code_of(size_t signal) {
  constexpr size_t kFirst = 33, kCount = 94;
  std::string code;
  do {
    code += static_cast<char>(kFirst + signal % kCount);
    signal /= kCount;
  } while (signal != 0);
  return code;
}

std::string change(uint64_t value, int bits, const std::string& code) {
  if (bits == 1) return fmt::format("{}{}\n", value, code);
  return fmt::format("b{:b} {}\n", value, code);
}

}  // namespace

Waves::Waves(const isa::Config& config) : clock_mhz_(config.clock_mhz()) {
  for (const Engine engine : kAllEngines) {
    signal(identifier(name(engine)), "busy", 1);
    signal(identifier(name(engine)), "insn", kIndexBits);
  }
  for (const char* direction : {"read", "write"}) {
    signal("bus", fmt::format("{}_data", direction), 1);
    signal("bus", fmt::format("{}_burst_bytes", direction), kCountBits);
  }
}

Waves::Signal& Waves::signal(const std::string& scope, const std::string& name, int bits) {
  const auto found = std::find_if(signals_.begin(), signals_.end(),
                                  [&](const Signal& s) { return s.scope == scope && s.name == name; });
  if (found != signals_.end()) return *found;
  return signals_.emplace_back(Signal{scope, name, bits, {{0, 0}}});
}

void Waves::add(const RecordedRun& run) {
  VANTAGE_CHECK(run.result.cycles);
  for (const auto& [count, changes] : fills(run)) {
    Signal& wave = signal("queues", identifier(count), kCountBits);
    int64_t fill = 0;
    wave.values[origin_] = 0;
    for (const auto& [cycle, by] : changes) wave.values[origin_ + cycle] = static_cast<uint64_t>(fill += by);
  }
  // What ends in a cycle is over in the next, unless something begins there
  const auto holds = [&](Signal& wave, Cycles first, Cycles last, uint64_t value) {
    wave.values[origin_ + first.count()] = value;
    wave.values[origin_ + last.count() + 1] = 0;
  };
  for (const EngineWork& work : run.work) {
    const std::string scope = identifier(name(work.engine));
    holds(signal(scope, "busy", 1), work.first, work.last, 1);
    signal(scope, "insn", kIndexBits).values[origin_ + work.first.count()] = work.insn;
  }
  for (const BusBurst& burst : run.bursts) {
    const std::string direction = burst.is_write ? "write" : "read";
    holds(signal("bus", direction + "_data", 1), burst.first, burst.last, 1);
    holds(signal("bus", direction + "_burst_bytes", kCountBits), burst.first, burst.last, burst.bytes.count());
  }
  origin_ += run.result.cycles->count();
}

std::string Waves::vcd() const {
  constexpr uint64_t kPicosecondMegahertz = 1'000'000;
  std::string text = "$timescale 1 ps $end\n$scope module core $end\n";
  std::vector<std::string> scopes;
  for (const Signal& s : signals_) {
    if (std::find(scopes.begin(), scopes.end(), s.scope) == scopes.end()) scopes.push_back(s.scope);
  }
  for (const std::string& scope : scopes) {
    text += fmt::format("$scope module {} $end\n", scope);
    for (size_t i = 0; i < signals_.size(); ++i) {
      const Signal& s = signals_[i];
      if (s.scope == scope) text += fmt::format("$var wire {} {} {} $end\n", s.bits, code_of(i), s.name);
    }
    text += "$upscope $end\n";
  }
  text += "$upscope $end\n$enddefinitions $end\n";

  std::map<uint64_t, std::string> changes;
  for (size_t i = 0; i < signals_.size(); ++i) {
    std::optional<uint64_t> last;
    for (const auto& [cycle, value] : signals_[i].values) {
      if (value == last) continue;
      changes[cycle] += change(value, signals_[i].bits, code_of(i));
      last = value;
    }
  }
  changes[origin_];  // the end
  for (const auto& [cycle, lines] : changes) {
    text += fmt::format("#{}\n{}", cycle * kPicosecondMegahertz / static_cast<uint64_t>(clock_mhz_), lines);
  }
  return text;
}

}  // namespace vantage::sim
