#include <CLI/CLI.hpp>
#include <deque>

#include "base/error.h"
#include "base/file.h"
#include "base/installation.h"
#include "base/json.h"
#include "base/temporary.h"
#include "cli/commands.h"
#include "cli/energy_option.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/report_options.h"
#include "cli/search_options.h"
#include "driver/device/accelerator.h"
#include "report/layers.h"
#include "sim/profile/summary.h"
#include "workload/conv_layer.h"
#include "workload/mlp.h"
#include "workload/useful_work.h"

namespace vantage::cli {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kClasses = 10;

struct MlpArguments {
  ConfigOption config;
  TargetOptions target{"systemc:"};
  std::string data;
  uint64_t images = 0;  // 0: all
  int64_t chunk = 1000;
  std::string record;
  ReportOptions html;
  EnergyOption energy;
  bool json = false;
};

// `logits` are one image's.
int64_t digit(std::span<const int8_t> logits) {
  return std::max_element(logits.begin(), logits.begin() + kClasses) - logits.begin();
}

struct Tally {
  uint64_t correct = 0;
  std::string difference;  // the first logit that differs from the recorded ones
};

// `logits`: of the images from `first` on, [image][output] and whatever ones.
void check_chunk(const Tensor& logits, int64_t first, const workload::MnistImages& images, Tally& tally) {
  const auto columns = static_cast<size_t>(images.logits.extent(1));
  const auto got = logits.values<int8_t>();
  const auto expected = images.logits.values<int8_t>().subspan(static_cast<size_t>(first) * columns, got.size());
  const auto labels = images.labels.values<int16_t>().subspan(static_cast<size_t>(first));
  for (size_t row = 0; row < got.size() / columns; ++row) {
    tally.correct += digit(got.subspan(row * columns, columns)) == labels[row];
  }
  const auto [wrong, wanted] = std::mismatch(got.begin(), got.end(), expected.begin());
  if (!tally.difference.empty() || wrong == got.end()) return;
  const auto at = static_cast<size_t>(wrong - got.begin());
  tally.difference = fmt::format("image {}, logit {}: expected {}, got {}", static_cast<size_t>(first) + at / columns,
                                 at % columns, *wanted, *wrong);
}

// A layer's run on some images.
struct Launch {
  std::string layer;
  int64_t first_image;
  driver::RunResult result;
  sim::Work work;
  workload::Traffic least;
};

void write_page(const MlpArguments& a, const isa::Config& config, const std::vector<Launch>& launches,
                const std::string& bottleneck, const Json& energy) {
#if VANTAGE_HAS_TIME
  if (!a.html.wanted()) return;
  report::Report page;
  page.title = "mlp";
  page.target = a.target.uri;
  page.memory = a.target.memory_name(config);
  report::set_accelerator(page, config, a.target.memory_setting(config),
                          sim::clock_mhz(config, launches.back().result));
  page.bottleneck = bottleneck;
  page.energy = energy;
  double seconds = 0;
  const bool is_parted = launches.back().first_image != launches.front().first_image;
  for (const Launch& launch : launches) {
    const std::string name = is_parted ? fmt::format("{} from {}", launch.layer, launch.first_image) : launch.layer;
    report::Layer layer = report::layer_of(name, config, launch.result, &launch.work);
    layer.op = "dense";
    layer.start_seconds = seconds;
    layer.least = launch.least;
    seconds += layer.seconds;
    page.layers.push_back(std::move(layer));
  }
  if (seconds > 0) page.seconds = seconds;
  a.html.write(std::move(page), a.json);
#else
  (void)a, (void)config, (void)launches, (void)bottleneck, (void)energy;
#endif
}

int run_mlp(MlpArguments a) {
  a.energy.load();
  const isa::Config config = a.config.load();
  if (config.inp_bits() < 8 || config.wgt_bits() < 8 || config.acc_bits() < 32) {
    fail("this network needs inputs and weights of 8 bits and accumulators of 32; configuration {} has {}, {} and {}",
         config.name(), config.inp_bits(), config.wgt_bits(), config.acc_bits());
  }
  const fs::path folder = a.data.empty() ? data_folder() / "examples" / "mnist_mlp" : fs::path(a.data);
  const auto network = workload::load_mlp(folder, kClasses);
  const workload::MnistImages mnist = workload::load_mnist(folder, network);
  const int64_t known = mnist.pixels.extent(0);
  if (a.images > static_cast<uint64_t>(known)) fail("--images is {}, there are {}", a.images, known);
  const int64_t images = a.images == 0 ? known : static_cast<int64_t>(a.images);
  if (!a.record.empty()) require_new_directory(a.record);
  require_different(
      {{"--record", a.record}, {"--trace", a.target.trace}, {"--vcd", a.target.vcd}, {"--html", a.html.file()}});
  a.html.check();

  const auto device = a.target.open(config, a.html.observer(config));
  const MemoryTiming memory = a.target.memory_setting(config).value_or(MemoryTiming{});
  std::deque<workload::ConvLayer> layers;  // a deque: layers stay where they are
  for (const workload::DenseLayer& layer : network) {
    const MatmulShape shape{.m = 1, .n = layer.outputs(), .k = layer.inputs(), .dtype = kInt8};
    ops::Epilogue epilogue = layer.epilogue;
    epilogue.bias = true;
    const auto find = [&, epilogue](const Conv2dShape& dense) {
      const workload::MappingRequest request{.shape = dense, .epilogue = epilogue, .config = config, .memory = memory};
      return workload::find_mapping(request, mapping_cache()).mapping;
    };
    layers.emplace_back(*device, layer.name, as_conv2d(shape), layer.epilogue, layer.weights, layer.bias, find);
  }

  sim::RunResult total;
  sim::Work work;
  Tally tally;
  Progress progress("images", static_cast<uint64_t>(images));
  std::vector<Bundle> bundles;
  std::vector<Launch> launches;
  for (int64_t first = 0; first < images; first += a.chunk) {
    const int64_t count = std::min(a.chunk, images - first);
    Tensor values = mnist.pixels.rows(first, count);
    for (size_t i = 0; i < layers.size(); ++i) {
      auto output = layers[i].run(values, !a.record.empty());
      values = std::move(output.values);
      total += output.result;
      const sim::Work useful = workload::useful_work(output.layer.shape, config);
      work += useful;
      if (a.html.wanted()) launches.push_back({network[i].name, first, output.result, useful, output.least});
      if (output.bundle) bundles.push_back(std::move(*output.bundle));
    }
    check_chunk(values.converted(kInt8), first, mnist, tally);
    progress.advance(static_cast<uint64_t>(first + count));
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
  if (total.cycles) warn_of_clock(config);
  const RunFacts facts{a.target.memory_name(config), work, a.energy.report(config, total, a.target.uri, work.useful)};
  if (a.json) {
    Json json = report_json(ok, a.target.uri, config, total, facts);
    if (!ok) json["mismatch"] = tally.difference;
    json["workload"] = {{"name", "mlp"}, {"images", images}, {"correct", tally.correct}};
    print_out("{}\n", json_text(json));
  } else {
    print_out("mlp {} images through {} layers\n", images, network.size());
    print_out("{}{}", setup_line(a.target.uri, config, total, facts), run_table(config, total, facts));
    if (ok) print_out("All {} x {} logits equal the recorded ones.\n", images, mnist.logits.extent(1));
    print_out("{} of {} are right.\n", tally.correct, images);
  }
  const bool has_time = total.cycles && total.cycles->count() != 0;
  if (ok)
    write_page(a, config, launches, has_time ? sim::summarize(config, total, &work).bottleneck : "", facts.energy.json);
  if (!ok) print_error("error: the device's logits are wrong: {}\n", tally.difference);
  return ok ? 0 : 1;
}

}  // namespace

void add_run_mlp(CLI::App& run, int& status) {
  auto a = std::make_shared<MlpArguments>();
  CLI::App* mlp = run.add_subcommand("mlp", "an int8 perceptron, trained on MNIST, over the 10,000 test images");
  a->config.add_to(*mlp);
  a->target.add_to(*mlp);
  mlp->add_option("--data", a->data, "folder with mlp.json, its arrays and the images; without it the project's own")
      ->type_name("DIR")
      ->check(not_empty());
  mlp->add_option("--images", a->images, "run only the first so many")->check(whole_number(1, UINT64_MAX));
  mlp->add_option("--chunk", a->chunk, "images per launch")->check(whole_number(1, 10000))->capture_default_str();
  mlp->add_option("--record", a->record, "write every launch as a replay bundle into this new directory")
      ->type_name("DIR")
      ->check(not_empty());
  a->html.add_to(*mlp);
  a->energy.add_to(*mlp);
  add_json_flag(*mlp, a->json);
  mlp->footer(
      "Examples:\n"
      "  vantage run mlp\n"
      "  vantage run mlp --config 32x32 --json\n"
      "  vantage run mlp --images 2000 --html mlp.html\n"
      "  vantage run mlp --images 16 --chunk 16 --record mlp.bundles");
  mlp->callback([a, &status] { status = run_mlp(*a); });
}

}  // namespace vantage::cli
