#include "compiler/backend/cuda/ptx_loops.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>

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

PtxLoop counted(const std::vector<std::string>& lines, size_t from, size_t to) {
  PtxLoop loop;
  for (size_t i = from; i < to; ++i) {
    // What was written as assembly may have several in a line.
    for (size_t begin = 0, end; (end = lines[i].find(';', begin)) != std::string::npos; begin = end + 1) {
      const std::string_view text = instruction_of(std::string_view(lines[i]).substr(begin, end - begin));
      if (text.empty() || text.front() < 'a' || text.front() > 'z') continue;
      ++loop.instructions;
      const bool adds = begins(text, {"fma.", "mad.", "dp4a.", "mma.", "wgmma.mma_async."});
      if (adds && !begins(text, {"mad.lo.s64", "mad.wide"})) ++loop.multiplies;
      if (begins(text, {"ld.shared", "ldmatrix."})) ++loop.shared_loads;
    }
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

}  // namespace vantage::cuda
