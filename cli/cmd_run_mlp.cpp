#include <CLI/CLI.hpp>
#include <deque>

#include "base/error.h"
#include "base/file.h"
#include "base/json_object.h"
#include "base/temporary.h"
#include "cli/commands.h"
#include "cli/conv_layer.h"
#include "cli/idx.h"
#include "cli/npy.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "driver/device/accelerator.h"

namespace vantage::cli {

namespace fs = std::filesystem;
using ops::Matrix;

namespace {

constexpr uint64_t kClasses = 10;

struct MlpArguments {
  ConfigOption config;
  TargetOptions target{"systemc:"};
  std::string data;
  uint64_t images = 0;  // 0: all
  uint64_t chunk = 1000;
  std::string record;
  bool json = false;
};

// One entry of mlp.json with the arrays that it names.
struct LayerData {
  std::string name;
  Matrix weights;
  Matrix bias;
  ops::Epilogue epilogue;
};

LayerData load_layer(const fs::path& folder, const JsonObject& json) {
  LayerData layer;
  layer.name = json.string("name");
  if (!is_tensor_name(layer.name)) json.refuse("name", "letters and digits");
  layer.weights = read_npy(folder / json.string("weight"), NpyType::kInt8);
  layer.bias = read_npy(folder / json.string("bias"), NpyType::kInt32);
  if (layer.bias.rows != 1 || layer.bias.cols != layer.weights.rows) {
    fail("{}: its bias has {} values for {} outputs", json.where(), layer.bias.values.size(), layer.weights.rows);
  }
  const std::vector<int> clip = json.integers("clip", -128, 127);
  if (clip.size() != 2 || clip[0] > clip[1]) json.refuse("clip", "two integers, the smaller one first");
  layer.epilogue.shift = json.integer("shift", 0, 31);
  layer.epilogue.clip_min = clip[0];
  layer.epilogue.clip_max = clip[1];
  return layer;
}

std::vector<LayerData> load_network(const fs::path& folder) {
  const fs::path path = folder / "mlp.json";
  constexpr Bytes kLimit{1 << 20};
  const Json json = parse_json(read_file(path, kLimit), path.string());
  std::vector<LayerData> layers;
  JsonObject(json, path.string()).each_object("layers", [&](const JsonObject& layer) {
    layers.push_back(load_layer(folder, layer));
    if (layers.size() > 1 && layers[layers.size() - 2].weights.rows != layers.back().weights.cols) {
      fail("{}: layer {} takes {} inputs, the one before gives {}", path.string(), layers.back().name,
           layers.back().weights.cols, layers[layers.size() - 2].weights.rows);
    }
  });
  if (layers.empty() || layers.back().weights.rows < kClasses) {
    fail("{}: the last layer must give at least {} outputs, one per digit", path.string(), kClasses);
  }
  return layers;
}

Matrix rows_of(const Matrix& matrix, size_t begin, size_t count) {
  Matrix part(count, matrix.cols);
  std::copy_n(matrix.values.begin() + static_cast<ptrdiff_t>(begin * matrix.cols), count * matrix.cols,
              part.values.begin());
  return part;
}

size_t digit(const Matrix& logits, size_t row) {
  const auto first = logits.values.begin() + static_cast<ptrdiff_t>(row * logits.cols);
  return static_cast<size_t>(std::max_element(first, first + kClasses) - first);
}

struct Tally {
  uint64_t correct = 0;
  std::string difference;  // the first logit that differs from the recorded ones
};

void check_chunk(const Matrix& logits, size_t first, const Matrix& expected, const Matrix& labels, Tally& tally) {
  for (size_t row = 0; row < logits.rows; ++row) {
    tally.correct += digit(logits, row) == static_cast<size_t>(labels.at(first + row, 0));
    for (size_t c = 0; c < logits.cols && tally.difference.empty(); ++c) {
      const int32_t want = expected.at(first + row, c);
      if (logits.at(row, c) != want) {
        tally.difference =
            fmt::format("image {}, logit {}: expected {}, got {}", first + row, c, want, logits.at(row, c));
      }
    }
  }
}

int run_mlp(const MlpArguments& a) {
  const isa::Config config = a.config.load();
  if (config.inp_bits() < 8 || config.wgt_bits() < 8 || config.acc_bits() < 32) {
    fail("this network needs inputs and weights of 8 bits and accumulators of 32; configuration {} has {}, {} and {}",
         config.name(), config.inp_bits(), config.wgt_bits(), config.acc_bits());
  }
  const fs::path folder = a.data.empty() ? project_root() / "examples" / "mnist_mlp" : fs::path(a.data);
  const auto network = load_network(folder);
  Matrix pixels = read_idx(folder / "t10k-images-idx3-ubyte.gz");
  const Matrix labels = read_idx(folder / "t10k-labels-idx1-ubyte.gz");
  const Matrix expected = read_npy(folder / "t10k_logits_int8.npy", NpyType::kInt8);
  if (pixels.cols != network.front().weights.cols || labels.rows != pixels.rows || labels.cols != 1 ||
      expected.rows != pixels.rows || expected.cols != network.back().weights.rows) {
    fail("{}: images, labels, logits and network do not fit each other", folder.string());
  }
  for (int32_t& pixel : pixels.values) pixel >>= 1;  // the network's input is the pixel halved, as int8
  const uint64_t images = a.images == 0 ? pixels.rows : a.images;
  if (images > pixels.rows) fail("--images is {}, there are {}", images, pixels.rows);
  if (!a.record.empty()) require_new_directory(a.record);
  require_different({{"--record", a.record}, {"--trace", a.target.trace}, {"--vcd", a.target.vcd}});

  const auto device = a.target.open(config);
  std::deque<ConvLayer> layers;  // a deque: layers stay where they are
  for (const LayerData& layer : network) {
    const auto shape =
        ops::dense_shape(1, static_cast<int64_t>(layer.weights.cols), static_cast<int64_t>(layer.weights.rows));
    layers.emplace_back(*device, layer.name, shape, layer.epilogue, images_of(layer.weights), layer.bias);
  }

  sim::RunResult total;
  Tally tally;
  Progress progress("images", images);
  std::vector<Bundle> bundles;
  for (uint64_t first = 0; first < images; first += a.chunk) {
    ops::Images values = images_of(rows_of(pixels, first, std::min(a.chunk, images - first)));
    for (ConvLayer& layer : layers) {
      auto output = layer.run(values, !a.record.empty());
      values = std::move(output.values);
      total += output.result;
      if (output.bundle) bundles.push_back(std::move(*output.bundle));
    }
    check_chunk(matrix_of(values), first, expected, labels, tally);
    progress.advance(first + values.n);
  }

  device->finish_trace();
  if (!a.record.empty()) {
    NewDirectory record(a.record);
    for (size_t i = 0; i < bundles.size(); ++i) {
      save_bundle(bundles[i], record.path() / fmt::format("{:03}-{}", i, bundles[i].name));
    }
    record.commit();
  }
  const bool ok = tally.difference.empty();
  if (a.json) {
    Json json = report_json(ok, a.target.uri, config, total);
    if (!ok) json["mismatch"] = tally.difference;
    json["workload"] = {{"name", "mlp"}, {"images", images}, {"correct", tally.correct}};
    fmt::print("{}\n", json_text(json));
  } else {
    fmt::print("mlp {} images through {} layers on {} {}\n", images, network.size(), a.target.uri, config.name());
    fmt::print("{}", run_table(config, total));
    if (ok) fmt::print("All {} x {} logits equal the recorded ones.\n", images, expected.cols);
    fmt::print("{} of {} are right.\n", tally.correct, images);
  }
  if (!ok) fmt::print(stderr, "error: the device's logits are wrong: {}\n", tally.difference);
  return ok ? 0 : 1;
}

}  // namespace

void add_run_mlp(CLI::App& run, int& status) {
  auto a = std::make_shared<MlpArguments>();
  CLI::App* mlp = run.add_subcommand("mlp", "an int8 perceptron, trained on MNIST, over the 10,000 test images");
  a->config.add_to(*mlp);
  a->target.add_to(*mlp);
  mlp->add_option("--data", a->data, "folder with mlp.json, its arrays and the images (default: examples/mnist_mlp)")
      ->check(not_empty());
  mlp->add_option("--images", a->images, "run only the first so many")->check(whole_number(1, UINT64_MAX));
  mlp->add_option("--chunk", a->chunk, "images per launch")->check(whole_number(1, 10000))->capture_default_str();
  mlp->add_option("--record", a->record, "write every launch as a replay bundle into this new directory")
      ->check(not_empty());
  add_json_flag(*mlp, a->json);
  mlp->footer(
      "Examples:\n"
      "  vantage run mlp\n"
      "  vantage run mlp --config 32x32 --json\n"
      "  vantage run mlp --images 16 --chunk 16 --record /tmp/mlp-bundles");
  mlp->callback([a, &status] { status = run_mlp(*a); });
}

}  // namespace vantage::cli
