#include "workload/mlp.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json_object.h"
#include "base/tensor/idx.h"
#include "hw/program/program.h"
#include "workload/matrix.h"

namespace vantage::workload {

namespace fs = std::filesystem;

namespace {

DenseLayer load_layer(const fs::path& folder, const JsonObject& json) {
  DenseLayer layer;
  layer.name = json.string("name");
  if (fault_of_tensor_name(layer.name)) json.refuse("name", "letters and digits");
  layer.weights = read_matrix(folder / json.string("weight"), kInt8);
  layer.bias = read_matrix(folder / json.string("bias"), kInt32);
  if (layer.bias.extent(0) != 1 || layer.bias.extent(1) != layer.outputs()) {
    fail("{}: its bias has {} values for {} outputs", json.where(), layer.bias.size(), layer.outputs());
  }
  const std::vector<int> clip = json.integers("clip", -128, 127);
  if (clip.size() != 2 || clip[0] > clip[1]) json.refuse("clip", "two integers, the smaller one first");
  layer.epilogue.shift = json.integer("shift", 0, 31);
  layer.epilogue.clip_min = clip[0];
  layer.epilogue.clip_max = clip[1];
  return layer;
}

}  // namespace

std::vector<DenseLayer> load_mlp(const fs::path& folder, int64_t classes) {
  const fs::path path = folder / "mlp.json";
  constexpr Bytes kLimit{1 << 20};
  const Json json = parse_json(read_file(path, kLimit), path.string());
  std::vector<DenseLayer> layers;
  // "input" tells people how images become its values, "correct_of_10000" what it was trained to
  const JsonObject object(json, path.string(), {"input", "layers", "correct_of_10000"});
  object.each_object("layers", {"name", "weight", "bias", "shift", "clip"}, [&](const JsonObject& layer) {
    layers.push_back(load_layer(folder, layer));
    if (layers.size() > 1 && layers[layers.size() - 2].outputs() != layers.back().inputs()) {
      fail("{}: layer {} takes {} inputs, the one before gives {}", path.string(), layers.back().name,
           layers.back().inputs(), layers[layers.size() - 2].outputs());
    }
  });
  if (layers.empty()) fail("{}: layers is [], expected at least one", path.string());
  if (layers.back().outputs() < classes) {
    fail("{}: the last layer must give at least {} outputs, one per digit", path.string(), classes);
  }
  return layers;
}

MnistImages load_mnist(const fs::path& folder, const std::vector<DenseLayer>& network) {
  Tensor pixels = read_idx(folder / "t10k-images-idx3-ubyte.gz");
  MnistImages images;
  images.labels = read_idx(folder / "t10k-labels-idx1-ubyte.gz");
  images.logits = read_matrix(folder / "t10k_logits_int8.npy", kInt8);
  const int64_t count = pixels.extent(0);
  if (pixels.size() != count * network.front().inputs() || images.labels.size() != count ||
      images.labels.extent(0) != count || images.logits.extent(0) != count ||
      images.logits.extent(1) != network.back().outputs()) {
    fail("{}: images, labels, logits and network do not fit each other", folder.string());
  }
  for (int16_t& pixel : pixels.values<int16_t>()) pixel >>= 1;
  images.pixels = pixels.converted(kInt8).reshaped({count, network.front().inputs()});
  return images;
}

}  // namespace vantage::workload
