#include "compiler/backend/cuda/ptx_loops.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <sstream>
#include <string_view>

#include "compiler/backend/cuda/peak.h"

namespace vantage::cuda {

namespace {

bool begins(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return text.starts_with(word); });
}

// What stands before a semicolon, without indentation, predicate and the scope that an assembler's lines open.
std::string_view instruction_of(std::string_view line) {
  const auto trim = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t{"), line.size())); };
  trim();
  if (line.starts_with('@')) {
    line.remove_prefix(std::min(line.find_first_of(" \t"), line.size()));
    trim();
  }
  return line;
}

// What one instruction multiplies for each of its threads.
struct Products {
  int64_t count = 0;
  std::optional<DType> operand;
};

// Of "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16", the words between its dots.
Products products_of(std::string_view text) {
  if (!begins(text, {"fma.", "mad.", "dp4a.", "mma.", "wgmma.mma_async."})) return {};
  if (begins(text, {"mad.lo.s64", "mad.wide"})) return {};  // of addresses
  Products result{text.starts_with("dp4a.") ? 4 : 1, {}};
  std::string_view rest = text.substr(0, text.find_first_of(" \t"));
  while (!rest.empty()) {
    const std::string word(rest.substr(0, rest.find('.')));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    int64_t m = 0, n = 0, k = 0;
    if (std::sscanf(word.c_str(), "m%" SCNd64 "n%" SCNd64 "k%" SCNd64, &m, &n, &k) == 3) {
      result.count = m * n * k / (text.starts_with("wgmma.") ? 128 : 32);
    }
    if (word == "f16") result.operand = kFloat16;
    if (word == "bf16") result.operand = kBFloat16;
    if (word == "s8") result.operand = kInt8;
    if (word == "f32" && !result.operand) result.operand = kFloat32;  // a tile's are its sums
  }
  return result;
}

PtxLoop counted(const std::vector<std::string>& lines, size_t from, size_t to) {
  PtxLoop loop;
  std::map<std::optional<DType>, int64_t> products;
  for (size_t i = from; i < to; ++i) {
    // What was written as assembly may have several in a line.
    for (size_t begin = 0, end; (end = lines[i].find(';', begin)) != std::string::npos; begin = end + 1) {
      const std::string_view text = instruction_of(std::string_view(lines[i]).substr(begin, end - begin));
      if (text.empty() || text.front() < 'a' || text.front() > 'z') continue;
      ++loop.instructions;
      if (const Products own = products_of(text); own.count > 0) {
        ++loop.multiplies;
        products[own.operand] += own.count;
      }
      if (begins(text, {"ld.shared", "ldmatrix."})) ++loop.shared_loads;
      if (begins(text, {"ld.global"})) ++loop.global_loads;
      if (begins(text, {"bra"}) && i + 1 < to) ++loop.branches;
    }
  }
  for (const auto& [operand, count] : products) {
    if (count <= loop.products) continue;
    loop.products = count;
    loop.operand = operand;
  }
  return loop;
}

PtxLoop busiest(const std::vector<std::string>& lines) {
  std::map<std::string, size_t, std::less<>> labels;
  PtxLoop best;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view text = instruction_of(lines[i]);
    if (text.starts_with('$')) labels[std::string(text.substr(0, text.find(':')))] = i;
    if (!begins(text, {"bra"})) continue;
    const size_t at = text.find('$');
    if (at == std::string_view::npos) continue;
    const auto label = labels.find(text.substr(at, text.find(';') - at));
    // Back to a label that was passed; innermost where no other loop is inside, which would have been counted before
    // and has more of what it multiplies for its length.
    if (label == labels.end()) continue;
    const PtxLoop loop = counted(lines, label->second, i + 1);
    if (loop.multiplies > best.multiplies && best.multiplies == 0) best = loop;
    if (loop.multiplies * best.instructions > best.multiplies * loop.instructions) best = loop;
  }
  return best.multiplies > 0 ? best : counted(lines, 0, lines.size());
}

}  // namespace

std::vector<PtxLoop> busiest_loops(const std::string& ptx) {
  std::vector<PtxLoop> result;
  std::istringstream text(ptx);
  std::string line, name;
  std::vector<std::string> body;
  const auto end = [&] {
    if (name.empty()) return;
    result.push_back(busiest(body));
    result.back().kernel = name;
    body.clear();
  };
  while (std::getline(text, line)) {
    static constexpr std::string_view kEntry = ".entry ";
    if (const size_t at = line.find(kEntry); at != std::string::npos) {
      end();
      name = line.substr(at + kEntry.size());
      name.resize(std::min(name.find('('), name.size()));
      continue;
    }
    body.push_back(line);
  }
  end();
  return result;
}

std::optional<double> share_of_peak(const PtxLoop& loop, int capability) {
  // A warp of 32 threads is on one of four quarters.
  static constexpr double kQuarters = 4, kThreads = 32;
  if (loop.instructions == 0 || !loop.operand) return std::nullopt;
  const auto rate = products_per_clock(capability, *loop.operand);
  if (!rate) return std::nullopt;
  const double clocks = static_cast<double>(loop.products) * kThreads * kQuarters / static_cast<double>(*rate);
  return std::min(1.0, clocks / static_cast<double>(loop.instructions));
}

}  // namespace vantage::cuda
