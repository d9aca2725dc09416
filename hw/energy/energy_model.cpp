#include "hw/energy/energy_model.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_object.h"
#include "base/sha256.h"

namespace vantage::energy {

namespace {
constexpr Bytes kLargestModel{1 << 20}, kLargestTable{16 << 20};
}

EnergyModel EnergyModel::load(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".yaml" || extension == ".yml") {
    fail(
        "{}: a table of Accelergy's does not say how wide accesses are; give a JSON file that names it with "
        "\"accelergy\" and says what its components are (docs/energy.md)",
        path.string());
  }
  return parse(read_file(path, kLargestModel), path.string(),
               [&](const std::string& table) { return read_file(path.parent_path() / table, kLargestTable); });
}

EnergyModel EnergyModel::parse(std::string_view json_text, std::string_view source, const ReadTable& read) {
  const Json json = parse_json(json_text, source);
  const bool is_accelergy = json.is_object() && json.contains("accelergy");
  std::vector<std::string> known = is_accelergy ? AccelergyTable::keys() : Technology::keys();
  known.insert(known.begin(), {"name", "meaning"});
  if (!is_accelergy) known.push_back("accelergy");  // so that it is suggested where it is misspelled
  const JsonObject object(json, std::string(source), std::move(known));
  std::string name = object.line("name"), meaning = object.line("meaning"), said = json.dump();
  if (!is_accelergy) return {std::move(name), std::move(meaning), sha256(said), Technology(object)};
  AccelergyTable table(object, [&](const std::string& file) {
    std::string text = read(file);
    said += text;
    return text;
  });
  return {std::move(name), std::move(meaning), sha256(said), std::move(table)};
}

EventEnergies EnergyModel::of(const isa::Config& config) const {
  return std::visit([&](const auto& source) { return source.of(config); }, source_);
}

}  // namespace vantage::energy
