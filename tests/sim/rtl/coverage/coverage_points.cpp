#include "tests/sim/rtl/coverage/coverage_points.h"

#include <charconv>

#include "base/error.h"
#include "base/file.h"
#include "base/json_object.h"

namespace vantage::test {

namespace {

// A line of the file is C '<fields>' <count>; each field is \1 <key> \2 <value>.
std::string_view field(std::string_view fields, std::string_view key) {
  const std::string head = "\x01" + std::string(key) + "\x02";
  const size_t at = fields.find(head);
  if (at == std::string_view::npos) return {};
  const size_t begin = at + head.size();
  return fields.substr(begin, fields.find('\x01', begin) - begin);
}

template <typename Number>
Number number(std::string_view text, const std::string& name) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) fail("{}: '{}' is no number", name, text);
  return value;
}

std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

}  // namespace

void add_coverage(std::string_view text, const std::string& name, CoverageCounts& counts) {
  if (!text.starts_with("# SystemC::Coverage-3")) fail("{}: this is no coverage of Verilator", name);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (!line.starts_with("C '")) continue;
    const size_t quote = line.rfind('\'');
    if (quote < 3 || quote + 2 > line.size()) fail("{}: a line is cut off", name);
    const std::string_view fields = line.substr(3, quote - 3);
    // Of the RTL's modules each has a file of its name; what is generated is a package without code.
    const std::string module = std::filesystem::path(field(fields, "f")).stem().string();
    const CoveragePoint point{module, number<int>(field(fields, "l"), name), number<int>(field(fields, "n"), name),
                              std::string(field(fields, "o"))};
    counts[point] += number<uint64_t>(line.substr(quote + 2), name);
  }
}

std::vector<Unreached> load_unreached(const std::filesystem::path& path) {
  const Json json = parse_json(read_file(path, Bytes(1 << 20)), path.string());
  std::vector<Unreached> list;
  for (const Json& entry : json) {
    const JsonObject object(entry, path.string(), {"module", "text", "kind", "reason"});
    list.push_back({object.string("module"), object.string("text"), object.string("kind"), object.string("reason")});
  }
  return list;
}

std::vector<std::string> source_lines(std::string_view source) {
  std::vector<std::string> lines;
  while (!source.empty()) {
    const std::string_view line = source.substr(0, source.find('\n'));
    lines.push_back(trimmed(line));
    source.remove_prefix(std::min(source.size(), line.size() + 1));
  }
  return lines;
}

}  // namespace vantage::test
