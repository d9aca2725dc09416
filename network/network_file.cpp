#include "network/network_file.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/file.h"
#include "base/json_object.h"
#include "base/math.h"

namespace vantage {

namespace {

using Kind = NetworkStep::Kind;

// What the file calls them, by their numbers.
constexpr std::array<std::string_view, 2> kPlaces = {"host", "accelerator"};
constexpr std::array<std::string_view, 4> kKinds = {"function", "program", "upload", "download"};

constexpr uint64_t kLargestBytes = uint64_t{1} << 40;

template <size_t N>
size_t number_of(const std::array<std::string_view, N>& names, const JsonObject& object, std::string_view key) {
  const std::string text = object.string(key);
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) object.refuse(key, fmt::format("one of {}", fmt::join(names, ", ")));
  return static_cast<size_t>(found - names.begin());
}

std::vector<uint64_t> naturals(const JsonObject& object, std::string_view key, uint64_t max) {
  std::vector<uint64_t> values;
  for (const Json& value : object.array(key)) {
    if (!value.is_number_unsigned() || value.get<uint64_t>() > max) {
      object.refuse(key, fmt::format("an array of whole numbers up to {}", max));
    }
    values.push_back(value.get<uint64_t>());
  }
  return values;
}

std::vector<size_t> indices(const JsonObject& object, std::string_view key) {
  const std::vector<uint64_t> values = naturals(object, key, UINT32_MAX);
  return {values.begin(), values.end()};
}

Json to_json(const NetworkTensor& tensor, uint64_t& constants) {
  Json json = {{"name", tensor.name},
               {"dtype", name(tensor.type.dtype)},
               {"shape", tensor.type.shape},
               {"place", kPlaces[static_cast<size_t>(tensor.place)]},
               {"bytes", tensor.bytes}};
  if (tensor.memory) json["memory"] = isa::name(*tensor.memory);
  if (tensor.constant) {
    json["values_at"] = constants;
    constants += round_up(tensor.type.bytes(), uint64_t{kTensorAlignment});
  } else if (tensor.slot != SIZE_MAX) {
    json["slot"] = tensor.slot;
  }
  return json;
}

NetworkTensor tensor_from_json(const JsonObject& json, std::string_view constants) {
  NetworkTensor tensor;
  tensor.name = json.string("name");
  for (const uint64_t extent : naturals(json, "shape", kLargestBytes)) {
    tensor.type.shape.push_back(static_cast<int64_t>(extent));
  }
  try {
    tensor.type.dtype = DType::parse(json.string("dtype"));
    tensor.type.bytes();  // are no more than memory has
  } catch (const Error& error) {
    fail("{}: {}", json.where(), error.what());
  }
  tensor.place = static_cast<Place>(number_of(kPlaces, json, "place"));
  tensor.bytes = json.natural("bytes", 0, kLargestBytes);
  if (json.has("memory")) {
    tensor.memory = isa::memory_from_name(json.string("memory"));
    if (!tensor.memory) json.refuse("memory", isa::memory_names());
  }
  if (json.has("slot")) tensor.slot = json.natural("slot", 0, UINT32_MAX);
  if (json.has("values_at")) {
    const uint64_t at = json.natural("values_at", 0, constants.size()), bytes = tensor.type.bytes();
    if (constants.size() - at < bytes) json.refuse("values_at", "bytes that there are");
    auto value = std::make_shared<Tensor>(tensor.type.dtype, tensor.type.shape);
    const auto from = as_bytes(constants.substr(at, bytes));
    std::copy(from.begin(), from.end(), value->bytes().begin());
    tensor.constant = std::move(value);
  }
  return tensor;
}

}  // namespace

Json network_to_json(const Network& network) {
  Json json = {{"name", network.name},
               {"functions", network.functions},
               {"programs", Json::array()},
               {"tensors", Json::array()},
               {"steps", Json::array()},
               {"inputs", network.inputs},
               {"outputs", network.outputs},
               {"host_slots", network.host_slots},
               {"accelerator_slots", network.accelerator_slots}};
  if (!network.output_names.empty()) json["output_names"] = network.output_names;
  if (network.config) {
    json["config"] = network.config->to_json();
    json["memory"] = network.memory;
  }
  for (const ProgramEstimate& known : network.estimates) {
    json["programs"].push_back({{"op", known.op},
                                {"cycles", known.cycles},
                                {"bound", known.bound},
                                {"binds", known.binds},
                                {"bytes", known.bytes},
                                {"useful", known.useful},
                                {"padded", known.padded}});
  }
  uint64_t constants = 0;
  for (const NetworkTensor& tensor : network.tensors) json["tensors"].push_back(to_json(tensor, constants));
  for (const NetworkStep& step : network.steps) {
    json["steps"].push_back({{"kind", kKinds[static_cast<size_t>(step.kind)]},
                             {"name", step.name},
                             {"code", step.code},
                             {"operands", step.operands}});
  }
  return json;
}

void each_constant(const Network& network, const std::function<void(std::string_view)>& use) {
  static const std::string kZeros(kTensorAlignment, '\0');
  for (const NetworkTensor& tensor : network.tensors) {
    if (!tensor.constant) continue;
    const std::string_view bytes = as_text(tensor.constant->bytes());
    use(bytes);
    use(std::string_view(kZeros).substr(0, round_up(bytes.size(), kTensorAlignment) - bytes.size()));
  }
}

Network network_from_json(const Json& json, const std::string& source, std::vector<Program> programs,
                          std::string_view constants) {
  const JsonObject object(json, source,
                          {"name", "config", "memory", "functions", "programs", "tensors", "steps", "inputs", "outputs",
                           "output_names", "host_slots", "accelerator_slots"});
  Network network;
  network.name = object.string("name");
  if (object.has("config")) network.config = isa::Config::from_json(object.value("config"), source + ": config");
  if (object.has("memory")) network.memory = object.string("memory");
  network.functions = object.strings("functions");
  object.each_object(
      "programs", {"op", "cycles", "bound", "binds", "bytes", "useful", "padded"}, [&](const JsonObject& p) {
        network.estimates.push_back({p.string("op"), p.natural("cycles", 0, UINT64_MAX),
                                     p.natural("bound", 0, UINT64_MAX), p.string("binds"),
                                     p.natural("bytes", 0, UINT64_MAX), p.natural("useful", 0, UINT64_MAX),
                                     p.natural("padded", 0, UINT64_MAX)});
      });
  network.programs = std::move(programs);
  object.each_object("tensors", {"name", "dtype", "shape", "place", "bytes", "memory", "slot", "values_at"},
                     [&](const JsonObject& t) { network.tensors.push_back(tensor_from_json(t, constants)); });
  object.each_object("steps", {"kind", "name", "code", "operands"}, [&](const JsonObject& s) {
    network.steps.push_back({static_cast<Kind>(number_of(kKinds, s, "kind")), s.string("name"),
                             s.natural("code", 0, UINT32_MAX), indices(s, "operands")});
  });
  network.inputs = indices(object, "inputs");
  network.outputs = indices(object, "outputs");
  if (object.has("output_names")) network.output_names = object.strings("output_names");
  network.host_slots = naturals(object, "host_slots", kLargestBytes);
  network.accelerator_slots = naturals(object, "accelerator_slots", kLargestBytes);
  return network;
}

}  // namespace vantage
