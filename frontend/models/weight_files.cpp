// Weights from files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/suggest.h"
#include "base/tensor/npy.h"
#include "base/tensor/tensor_archive.h"
#include "frontend/models/weights.h"

namespace vantage::models {

namespace {

namespace fs = std::filesystem;

void require_numbers(const Tensor& tensor, const std::string& source, const std::string& name) {
  if (tensor.dtype() != kFloat32) return;
  const auto values = tensor.values<float>();
  const auto wrong = std::ranges::find_if(values, [](float value) { return !std::isfinite(value); });
  if (wrong == values.end()) return;
  fail("{}: the weights {} have {} at element {}", source, name, *wrong, wrong - values.begin());
}

void require_type(const Tensor& tensor, const TensorType& type, const std::string& source, const std::string& name) {
  if (type_of(tensor) != type) {
    fail("{}: the weights {} are {}, expected {}", source, name, describe(tensor), describe(type));
  }
}

Weights weights_from_folder(const fs::path& folder) {
  return [folder](const std::string& name, const TensorType& type, WeightRole) {
    std::string file = name + ".npy";
    std::replace(file.begin(), file.end() - 4, '.', '_');
    const fs::path path = folder / file;
    if (!fs::exists(path)) {
      fail("{}: the weights {} are missing; expected {}", path.string(), name, describe(type));
    }
    Tensor tensor = read_npy(path);
    require_type(tensor, type, path.string(), name);
    require_numbers(tensor, path.string(), name);
    return tensor;
  };
}

// The name that the archive has for a tensor: its own, or that behind a name that all have.
std::string name_in(const TensorArchive& archive, const std::string& name, const std::string& source) {
  if (archive.has(name)) return name;
  const std::vector<std::string> names = archive.names();
  std::vector<std::string> found;
  std::ranges::copy_if(names, std::back_inserter(found), [&](const std::string& n) { return n.ends_with("." + name); });
  if (found.size() == 1) return found[0];
  if (!found.empty()) fail("{}: the weights {} may be {} or {}", source, name, found[0], found[1]);
  const std::vector<std::string> near = near_names(name, names);
  fail("{}: the weights {} are missing{}", source, name,
       near.empty() ? "" : fmt::format("; did you mean '{}'?", near.front()));
}

Weights weights_from_archive(const fs::path& path) {
  const std::shared_ptr<const TensorArchive> archive = open_tensor_archive(path);
  return [archive, source = path.string()](const std::string& name, const TensorType& type, WeightRole) {
    Tensor tensor = archive->read(name_in(*archive, name, source));
    if (tensor.dtype().is_float() && tensor.dtype().bits() < type.dtype.bits()) tensor = tensor.converted(type.dtype);
    require_type(tensor, type, source, name);
    require_numbers(tensor, source, name);
    return tensor;
  };
}

}  // namespace

Weights weights_from(const fs::path& path) {
  return is_tensor_archive(path) ? weights_from_archive(path) : weights_from_folder(path);
}

}  // namespace vantage::models
