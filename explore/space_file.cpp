// Spaces from JSON.
#include <fmt/format.h>

#include <type_traits>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_object.h"
#include "base/settings.h"
#include "base/suggest.h"
#include "explore/space.h"

namespace vantage::explore {

namespace {

constexpr Bytes kLargestFile{16 << 20};
constexpr uint64_t kMostSamples = uint64_t{1} << 40;

const isa::ConfigKey* number_key(const std::string& name) {
  for (const isa::ConfigKey& key : isa::config_keys()) {
    if (key.name == name && key.number != nullptr) return &key;
  }
  return nullptr;
}

std::vector<std::string> parameter_names() {
  std::vector<std::string> names = {"memory"};
  for (const isa::ConfigKey& key : isa::config_keys()) {
    if (key.number != nullptr) names.push_back(key.name);
  }
  return names;
}

}  // namespace

class SpaceReader {
 public:
  SpaceReader(const Json& json, const std::string& source, const std::filesystem::path& configs)
      : source_(source), json_(json, source, {"base", "memory", "parameters", "constraints", "points", "sample"}) {
    space_.configs_ = configs;
  }

  Space read() && {
    const std::string base = json_.optional("base", &JsonObject::string).value_or("default");
    space_.base_ = of_file("base", [&] {
      space_.files_.push_back(find_settings(base, space_.configs_ / "accelerators", "configuration"));
      return isa::Config::load(space_.files_.back()).keys();
    });
    memory_place(json_.optional("memory", &JsonObject::string).value_or("m64"), "memory");
    if (json_.has("parameters")) read_parameters();
    if (json_.has("constraints")) {
      for (const std::string& text : json_.strings("constraints")) {
        space_.constraints_.emplace_back(text, expression_names(), source_ + ": constraints");
      }
    }
    if (json_.has("points")) {
      json_.each_object("points", parameter_names(), [&](const JsonObject& point) { read_point(point); });
    }
    read_sample();
    if (space_.size() == 0) fail("{}: there is no point; give \"parameters\" or \"points\"", source_);
    return std::move(space_);
  }

 private:
  // What another file says; its errors name the place here as well.
  template <typename Read>
  std::invoke_result_t<Read> of_file(const std::string& where, const Read& read) const {
    try {
      return read();
    } catch (const Error& error) {
      fail("{}: {}: {}", source_, where, error.what());
    }
  }

  int memory_place(const std::string& name, const std::string& where) {
    const auto known = std::ranges::find(space_.memories_, name);
    if (known != space_.memories_.end()) return static_cast<int>(known - space_.memories_.begin());
    // Read once to see that it can be.
    of_file(where, [&] {
      space_.files_.push_back(find_settings(name, space_.configs_ / "memory", "memory setting"));
      return MemoryTiming::load(space_.files_.back(), space_.base_.clock_mhz);
    });
    space_.memories_.push_back(name);
    return static_cast<int>(space_.memories_.size()) - 1;
  }

  void read_parameters() {
    const JsonObject all = json_.object("parameters");
    for (const std::string& name : all.keys()) {
      const isa::ConfigKey* key = number_key(name);
      if (key == nullptr && name != "memory") {
        fail("{}: parameters: there is no '{}'{}", source_, name, did_you_mean(name, parameter_names()));
      }
      Parameter parameter{name, key == nullptr ? nullptr : key->number, {}};
      read_values(all, name, key, parameter);
      space_.parameters_.push_back(std::move(parameter));
    }
  }

  // [1, 2, 3], or {"from": 1, "to": 3, "step": 1} or {"values": [1, 2, 3]}, with a "when".
  void read_values(const JsonObject& all, const std::string& name, const isa::ConfigKey* key, Parameter& parameter) {
    const Json& value = all.value(name);
    if (value.is_array()) {
      read_list(all, name, key, parameter);
    } else if (value.is_object()) {
      const JsonObject object = all.object(name, {"values", "from", "to", "step", "when"});
      if (object.has("when")) {
        parameter.when.emplace(object.string("when"), expression_names(), object.where() + ": when");
      }
      if (object.has("values")) {
        for (const char* other : {"from", "to", "step"}) {
          if (object.has(other)) object.refuse(other, "no range beside \"values\"");
        }
        read_list(object, "values", key, parameter);
      } else {
        if (key == nullptr) fail("{}: parameters: memory: has no range; list names of memory settings", source_);
        const int from = object.integer("from", key->min, key->max), to = object.integer("to", from, key->max);
        const int step = object.optional("step", &JsonObject::integer, 1, key->max).value_or(1);
        for (int v = from; v <= to; v += step) parameter.values.push_back(v);
      }
    } else {
      all.refuse(name, "a list of values, or an object with \"from\" and \"to\", or \"values\"");
    }
    if (parameter.values.empty()) fail("{}: parameters: {}: has no values", source_, name);
    for (size_t i = 0; i < parameter.values.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (parameter.values[i] == parameter.values[j]) fail("{}: parameters: {}: has a value twice", source_, name);
      }
    }
  }

  void read_list(const JsonObject& object, const std::string& name, const isa::ConfigKey* key, Parameter& parameter) {
    if (key != nullptr) {
      parameter.values = object.integers(name, key->min, key->max);
    } else {
      for (const std::string& memory : object.strings(name)) {
        parameter.values.push_back(memory_place(memory, "parameters: memory"));
      }
    }
  }

  void read_point(const JsonObject& point) {
    isa::ConfigKeys keys = space_.base_;
    int memory = 0;
    for (const std::string& name : point.keys()) {
      const isa::ConfigKey* key = number_key(name);
      if (key == nullptr) {
        memory = memory_place(point.string(name), "points: memory");
      } else {
        keys.*key->number = point.integer(name, key->min, key->max);
      }
    }
    if (point.has("LOG_BLOCK")) {
      if (!point.has("LOG_BLOCK_IN")) keys.log_block_in = keys.log_block;
      if (!point.has("LOG_BLOCK_OUT")) keys.log_block_out = keys.log_block;
    }
    keys.log_block = keys.log_block_in;
    space_.listed_.emplace_back(keys, memory);
  }

  void read_sample() {
    std::vector<uint64_t> sizes;
    for (const Parameter& parameter : space_.parameters_) sizes.push_back(parameter.values.size());
    space_.samples_ = !sizes.empty();
    const Sampling all = of_file("parameters", [&] { return Sampling::product(sizes); });
    if (json_.has("sample") && sizes.empty()) json_.refuse("sample", "\"parameters\" to draw from");
    space_.sampling_ = json_.has("sample") ? sample_of(all, sizes) : all;
  }

  Sampling sample_of(const Sampling& all, const std::vector<uint64_t>& sizes) const {
    const JsonObject sample = json_.object("sample", {"method", "count", "seed"});
    const std::string method = sample.one_of("method", {"product", "random", "latin-hypercube"});
    if (method == "product") {
      for (const char* key : {"count", "seed"}) {
        if (sample.has(key)) sample.refuse(key, "none with \"method\": \"product\", which takes all combinations");
      }
      return all;
    }
    const uint64_t count = sample.natural("count", 1, kMostSamples);
    const uint64_t seed = sample.optional("seed", &JsonObject::natural, uint64_t{0}, UINT64_MAX / 2).value_or(1);
    if (method == "random") return Sampling::random(sizes, count, seed);
    if (count > all.combinations()) {
      sample.refuse("count", fmt::format("at most the {} combinations that there are", all.combinations()));
    }
    return Sampling::latin_hypercube(sizes, count, seed);
  }

  std::string source_;
  JsonObject json_;
  Space space_;
};

Space Space::load(const std::filesystem::path& path, const std::filesystem::path& configs) {
  return parse(read_file(path, kLargestFile), path.string(), configs);
}

Space Space::parse(std::string_view json_text, const std::string& source, const std::filesystem::path& configs) {
  const Json json = parse_json(json_text, source);
  Space space = SpaceReader(json, source, configs).read();
  space.text_ = json_text;
  return space;
}

}  // namespace vantage::explore
