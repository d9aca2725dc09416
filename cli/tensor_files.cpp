#include "cli/tensor_files.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "base/suggest.h"
#include "base/tensor/npy.h"

namespace vantage::cli {

std::map<std::string, std::string> files_of(const char* option, const std::vector<std::string>& given,
                                            const std::vector<std::string>& names) {
  std::map<std::string, std::string> files;
  for (const std::string& text : given) {
    if (names.empty()) fail("{} {}: the network has none", option, text);
    size_t equals = text.find('=');
    // A path may have one too, and a name may have a slash.
    const std::string before = text.substr(0, equals);
    if (names.size() == 1 && equals != std::string::npos && before != names[0] &&
        before.find('/') != std::string::npos) {
      equals = std::string::npos;
    }
    const std::string name = equals == std::string::npos ? names.front() : text.substr(0, equals);
    const std::string file = equals == std::string::npos ? text : text.substr(equals + 1);
    if (equals == std::string::npos && names.size() > 1) {
      fail("{} {}: which one? NAME={}, where NAME is one of {}", option, text, text, fmt::join(names, ", "));
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      fail("{} {}: the network has no {} there{}", option, text, name, did_you_mean(name, names));
    }
    if (file.empty()) fail("{} {}: no file is named", option, text);
    if (!files.emplace(name, file).second) fail("{} names {} twice", option, name);
  }
  return files;
}

void require_finite(const std::string& what, const Tensor& value, const std::string& remedy) {
  for (int64_t e = 0; value.dtype().is_float() && e < value.size(); ++e) {
    if (std::isfinite(value.number(e))) continue;
    fail("{} is {} at [{}]; integers have no scale for it{}", what, value.number(e), fmt::join(value.index_of(e), ", "),
         remedy);
  }
}

void TensorFiles::add_to(CLI::App& app) {
  app.add_option("--input", inputs, "FILE.npy, or NAME=FILE.npy of several: what the input NAME is")
      ->type_name("[NAME=]FILE")
      ->expected(1)
      ->take_all();
  app.add_option("--output", outputs, "FILE.npy, or NAME=FILE.npy of several: where the output NAME is written")
      ->type_name("[NAME=]FILE")
      ->expected(1)
      ->take_all();
}

NetworkInputs TensorFiles::read_inputs(const Network& network) const {
  std::map<std::string, size_t> tensors;
  for (const size_t number : network.inputs) tensors.emplace(network.tensors[number].name, number);
  std::vector<std::string> names;
  for (const auto& [name, number] : tensors) names.push_back(name);
  NetworkInputs values;
  for (const auto& [name, file] : files_of("--input", inputs, names)) {
    const TensorType& type = network.tensors[tensors.at(name)].type;
    Tensor value = read_npy(file);
    if (type_of(value) != type) {
      fail("{}: is {}, but the input {} is {}", file, describe(value), name, describe(type));
    }
    values.emplace(name, std::move(value));
  }
  return values;
}

std::map<std::string, std::string> TensorFiles::files_of_outputs(const Network& network) const {
  const auto files = files_of("--output", outputs, output_names(network));
  for (const auto& [name, file] : files) require_writable(file);
  return files;
}

}  // namespace vantage::cli
