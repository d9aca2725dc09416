#include "native/gpu_program_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/error.h"
#include "base/json_object.h"

namespace vantage::native {

namespace {

using GpuArgumentKind = GpuArgument::Kind;

// What the file calls them, by their numbers.
constexpr std::array<std::string_view, 4> kArgumentKinds = {"parameter", "temporary", "scalar", "tensor_map"};
constexpr uint64_t kMostBytes = uint64_t{1} << 40;
// What no GPU exceeds (tables of NVIDIA's CUDA C++ Programming Guide).
constexpr std::array<uint32_t, 3> kMostGrid = {INT32_MAX, 65535, 65535}, kMostBlock = {1024, 1024, 64};
constexpr uint64_t kMostBlockThreads = 1024, kMostSharedBytes = 1 << 20;
constexpr size_t kMostMapRank = 5;
constexpr uint32_t kMostBoxElements = 256;
constexpr uint64_t kMostMapSize = uint64_t{1} << 32, kMapStrideUnit = 16;  // of cuTensorMapEncodeTiled

Json argument_json(const GpuArgument& argument) {
  return {{std::string(kArgumentKinds[static_cast<size_t>(argument.kind)]), argument.value}};
}

// An object with one key, which is the kind.
GpuArgument argument_from(const JsonObject& json) {
  const std::vector<std::string> keys = json.keys();
  const auto kind = std::find(kArgumentKinds.begin(), kArgumentKinds.end(), keys.empty() ? "" : keys.front());
  if (keys.size() != 1 || kind == kArgumentKinds.end()) {
    fail("{}: expected one key, one of parameter, temporary, scalar and tensor_map", json.where());
  }
  return {static_cast<GpuArgumentKind>(kind - kArgumentKinds.begin()), json.natural(*kind, 0, UINT64_MAX)};
}

template <typename Number>
std::vector<Number> gpu_numbers(const JsonObject& json, std::string_view key, uint64_t most) {
  std::vector<Number> numbers;
  for (const Json& value : json.array(key)) {
    if (!value.is_number_unsigned() || value.get<uint64_t>() > most) {
      json.refuse(key, fmt::format("an array of whole numbers up to {}", most));
    }
    numbers.push_back(static_cast<Number>(value.get<uint64_t>()));
  }
  return numbers;
}

std::array<uint32_t, 3> three(const JsonObject& json, std::string_view key) {
  const auto numbers = gpu_numbers<uint32_t>(json, key, UINT32_MAX);
  if (numbers.size() != 3) json.refuse(key, "three numbers: along x, y and z");
  return {numbers[0], numbers[1], numbers[2]};
}

// Kernels are found by name.
bool is_identifier(std::string_view name) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return !name.empty() && kDigits.find(name.front()) == std::string::npos &&
         name.find_first_not_of(kLetters) == std::string::npos;
}

bool is_number(const std::string& text) {
  int64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && rest == text.data() + text.size() && value >= 0;
}

class GpuProgramChecker {
 public:
  GpuProgramChecker(const GpuProgram& program, const std::string& source) : program_(program), source_(source) {}

  void check() const {
    check_parameters();
    for (const GpuKernel& kernel : program_.kernels) {
      require(is_identifier(kernel.name), fmt::format("'{}' is no kernel's name", kernel.name));
      require(kernel.shared_bytes <= kMostSharedBytes,
              fmt::format("the kernel {} takes {} bytes of shared memory, which no GPU has", kernel.name,
                          kernel.shared_bytes));
    }
    for (const GpuTensorMap& map : program_.tensor_maps) check(map);
    for (const GpuLaunch& launch : program_.launches) check(launch);
  }

 private:
  void require(bool holds, const std::string& what) const {
    if (!holds) fail("{}: {}: {}; compile it again", source_, program_.signature.name, what);
  }

  void check_parameters() const {
    const std::vector<Parameter>& parameters = program_.signature.parameters;
    require(program_.is_read.size() == parameters.size(),
            fmt::format("says of {} parameters whether they are read, and has {}", program_.is_read.size(),
                        parameters.size()));
    for (const Parameter& p : parameters) {
      require(p.is_tensor, fmt::format("the parameter {} is no tensor", p.name));
      require(p.shape.size() == p.strides.size(), fmt::format("the parameter {} has {} strides for {} dimensions",
                                                              p.name, p.strides.size(), p.shape.size()));
      const bool are_numbers = std::all_of(p.shape.begin(), p.shape.end(), is_number) &&
                               std::all_of(p.strides.begin(), p.strides.end(), is_number);
      require(are_numbers, fmt::format("sizes of the parameter {} are no numbers", p.name));
    }
  }

  void check(const GpuTensorMap& map) const {
    require(map.tensor.kind == GpuArgumentKind::kParameter || map.tensor.kind == GpuArgumentKind::kTemporary,
            "a tensor map is of a parameter or of temporary memory");
    check(map.tensor);
    const size_t rank = map.shape.size();
    require(rank >= 1 && rank <= kMostMapRank && map.strides.size() == rank && map.box.size() == rank,
            fmt::format("a tensor map has sizes, strides and a box of 1 to {} dimensions, as many each", kMostMapRank));
    const uint64_t bytes = map.dtype.bits / 8U;
    require(map.dtype.lanes == 1 && (bytes == 1 || bytes == 2 || bytes == 4),
            fmt::format("a tensor map is of {}, expected elements of 1, 2 or 4 bytes", name(map.dtype)));
    for (const uint32_t extent : map.box) {
      require(extent >= 1 && extent <= kMostBoxElements,
              fmt::format("a box is {} elements wide, expected 1 to {}", extent, kMostBoxElements));
    }
    for (size_t d = 0; d < rank; ++d) {
      require(map.shape[d] >= 1 && map.shape[d] <= kMostMapSize,
              fmt::format("a tensor map is {} elements long, expected 1 to {}", map.shape[d], kMostMapSize));
      const bool fits =
          d + 1 == rank ? map.strides[d] == bytes : map.strides[d] % kMapStrideUnit == 0 && map.strides[d] < kMostBytes;
      require(fits, fmt::format("elements of a tensor map are {} bytes apart, expected {}", map.strides[d],
                                d + 1 == rank ? fmt::format("{} in the last dimension", bytes)
                                              : fmt::format("a multiple of {}", kMapStrideUnit)));
    }
  }

  void check(const GpuArgument& argument) const {
    size_t count = 0;
    switch (argument.kind) {
      case GpuArgumentKind::kParameter: count = program_.signature.parameters.size(); break;
      case GpuArgumentKind::kTemporary: count = program_.temporaries.size(); break;
      case GpuArgumentKind::kTensorMap: count = program_.tensor_maps.size(); break;
      case GpuArgumentKind::kScalar: return;
    }
    require(argument.value < count,
            fmt::format("the {} {} is used, and there are {}", kArgumentKinds[static_cast<size_t>(argument.kind)],
                        argument.value, count));
  }

  void check(const GpuLaunch& launch) const {
    require(launch.kernel < program_.kernels.size(),
            fmt::format("the kernel {} is launched, and there are {}", launch.kernel, program_.kernels.size()));
    uint64_t threads = 1;
    for (size_t d = 0; d < 3; ++d) {
      require(launch.grid[d] >= 1 && launch.grid[d] <= kMostGrid[d],
              fmt::format("a grid is {} blocks along {}, expected 1 to {}", launch.grid[d], "xyz"[d], kMostGrid[d]));
      require(
          launch.block[d] >= 1 && launch.block[d] <= kMostBlock[d],
          fmt::format("a block is {} threads along {}, expected 1 to {}", launch.block[d], "xyz"[d], kMostBlock[d]));
      threads *= launch.block[d];
    }
    require(threads <= kMostBlockThreads,
            fmt::format("a block has {} threads, expected at most {}", threads, kMostBlockThreads));
    for (const GpuArgument& argument : launch.arguments) check(argument);
  }

  const GpuProgram& program_;
  const std::string& source_;
};

}  // namespace

Json to_json(const GpuProgram& program) {
  Json json = {{"function", to_json(program.signature)}, {"is_read", program.is_read},   {"kernels", Json::array()},
               {"temporaries", program.temporaries},     {"tensor_maps", Json::array()}, {"launches", Json::array()}};
  for (const GpuKernel& kernel : program.kernels) {
    json["kernels"].push_back(
        {{"name", kernel.name}, {"shared_bytes", kernel.shared_bytes}, {"is_given", kernel.is_given}});
  }
  for (const GpuTensorMap& map : program.tensor_maps) {
    json["tensor_maps"].push_back({{"tensor", argument_json(map.tensor)},
                                   {"dtype", name(map.dtype)},
                                   {"shape", map.shape},
                                   {"strides", map.strides},
                                   {"box", map.box}});
  }
  for (const GpuLaunch& launch : program.launches) {
    Json arguments = Json::array();
    for (const GpuArgument& argument : launch.arguments) arguments.push_back(argument_json(argument));
    json["launches"].push_back({{"kernel", launch.kernel},
                                {"grid", launch.grid},
                                {"block", launch.block},
                                {"arguments", std::move(arguments)}});
  }
  return json;
}

GpuProgram gpu_program_from_json(const Json& json, const std::string& source) {
  const JsonObject object(json, source, {"function", "is_read", "kernels", "temporaries", "tensor_maps", "launches"});
  GpuProgram program;
  program.signature = signature_from_json(object.object("function", {"name", "parameters"}));
  for (const Json& value : object.array("is_read")) {
    if (!value.is_boolean()) object.refuse("is_read", "an array of true and false");
    program.is_read.push_back(value.get<bool>());
  }
  object.each_object("kernels", {"name", "shared_bytes", "is_given"}, [&](const JsonObject& kernel) {
    program.kernels.push_back(
        {kernel.string("name"), kernel.natural("shared_bytes", 0, kMostBytes), kernel.boolean("is_given")});
  });
  program.temporaries = gpu_numbers<uint64_t>(object, "temporaries", kMostBytes);
  object.each_object("tensor_maps", {"tensor", "dtype", "shape", "strides", "box"}, [&](const JsonObject& map) {
    program.tensor_maps.push_back({argument_from(map.object("tensor")), dtype_from_json(map, "dtype"),
                                   gpu_numbers<uint64_t>(map, "shape", kMostBytes),
                                   gpu_numbers<uint64_t>(map, "strides", kMostBytes),
                                   gpu_numbers<uint32_t>(map, "box", UINT32_MAX)});
  });
  object.each_object("launches", {"kernel", "grid", "block", "arguments"}, [&](const JsonObject& launch) {
    GpuLaunch own{static_cast<uint32_t>(launch.natural("kernel", 0, UINT32_MAX)),
                  three(launch, "grid"),
                  three(launch, "block"),
                  {}};
    const Json& arguments = launch.array("arguments");
    for (size_t i = 0; i < arguments.size(); ++i) {
      own.arguments.push_back(
          argument_from(JsonObject(arguments[i], fmt::format("{}: arguments[{}]", launch.where(), i))));
    }
    program.launches.push_back(std::move(own));
  });
  check_gpu_program(program, source);
  return program;
}

void check_gpu_program(const GpuProgram& program, const std::string& source) {
  GpuProgramChecker(program, source).check();
}

}  // namespace vantage::native
