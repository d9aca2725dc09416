#include <CLI/CLI.hpp>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/json.h"
#include "base/signals.h"
#include "base/stop.h"
#include "base/tensor/compare.h"
#include "base/tensor/npy.h"
#include "cli/commands.h"
#include "cli/float_run.h"
#include "cli/gpu_code.h"
#include "cli/idle_options.h"
#include "cli/model_arguments.h"
#include "cli/network_report.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/quantization_text.h"
#include "cli/tensor_files.h"
#include "cli/what_if.h"
#include "cli/wrap.h"
#include "compiler/graph/passes/fuse.h"
#include "compiler/ops/sizes.h"
#include "driver/runtime/executor.h"
#include "workload/digits.h"
#include "workload/graph_on_processor.h"
#include "workload/network_run.h"
#include "workload/node_check.h"
#include "workload/processor_code.h"

namespace vantage::cli {

namespace {

// Where a network tells classes, whose shares are its first output: the axis that they are on.
std::optional<size_t> class_axis(const graph::Graph& graph) {
  const graph::Node& node = graph.node(graph.outputs()[0]);
  if (!node.is_call("softmax")) return std::nullopt;
  return ops::axis_of(node.attributes.integer("axis"), node.types[0].shape.size());
}

// A network's first output on the processor; of shares of classes the logits that they are made of. Where these are
// large all shares but one are next to nothing, and tell little.
Tensor run_for_logits(graph::Graph graph, const graph::Inputs& inputs) {
  const graph::Value first = graph.outputs()[0];
  graph.set_outputs({class_axis(graph) ? graph.node(first).inputs[0] : first});
  return std::move(workload::run_on_processor(graph, inputs)[0]);
}

// Of each list of logits along an axis the place of the largest.
std::vector<int64_t> first_classes(const Tensor& logits, size_t axis) {
  int64_t inner = 1;
  for (size_t d = axis + 1; d < logits.shape().size(); ++d) inner *= logits.extent(d);
  const int64_t classes = logits.extent(axis);
  std::vector<int64_t> first;
  for (int64_t list = 0; list < logits.size() / classes; ++list) {
    const auto at = [&, begin = list / inner * classes * inner + list % inner](int64_t place) {
      return logits.number(begin + place * inner);
    };
    int64_t best = 0;
    for (int64_t place = 1; place < classes; ++place) {
      if (at(place) > at(best)) best = place;
    }
    first.push_back(best);
  }
  return first;
}

// How near the integers' logits are to the floats'.
struct Accuracy {
  double snr_db = 0, cosine = 0;
  // Where there are classes: of so many lists of logits, one for each image of a batch, so many have the same first
  // one.
  size_t lists = 0, same = 0;
};

Accuracy accuracy_of(const Tensor& floats, const Tensor& got, std::optional<size_t> class_axis) {
  double signal = 0, noise = 0, square = 0, product = 0;
  for (int64_t e = 0; e < floats.size(); ++e) {
    const double wanted = floats.number(e), is = got.number(e), error = wanted - is;
    signal += wanted * wanted;
    noise += error * error;
    square += is * is;
    product += wanted * is;
  }
  const double lengths = std::sqrt(signal * square);
  Accuracy accuracy{noise > 0 ? 10 * std::log10(signal / noise) : 200, lengths > 0 ? product / lengths : 1};
  if (!class_axis) return accuracy;
  const std::vector<int64_t> wanted = first_classes(floats, *class_axis), is = first_classes(got, *class_axis);
  accuracy.lists = wanted.size();
  for (size_t i = 0; i < wanted.size(); ++i) accuracy.same += wanted[i] == is[i] ? 1 : 0;
  return accuracy;
}

std::string accuracy_text(const Accuracy& accuracy) {
  if (accuracy.lists == 0) {
    return fmt::format("Quantization leaves the first output an SNR of {:.1f} dB, and a cosine of {:.4f}.",
                       accuracy.snr_db, accuracy.cosine);
  }
  const std::string first = accuracy.lists == 1 ? (accuracy.same == 1 ? "the same" : "another one")
                                                : fmt::format("the same in {} of {}", accuracy.same, accuracy.lists);
  return fmt::format("Quantization leaves the logits an SNR of {:.1f} dB; the first class is {}.", accuracy.snr_db,
                     first);
}

// Of MNIST's images, how many are told in floats and in integers.
struct Told {
  int64_t images = 0, in_floats = 0, in_integers = 0;
};

Told classify(const workload::Digits& digits, int64_t images, const workload::PreparedNetwork& prepared,
              driver::NetworkExecutor& executor) {
  Progress progress("images", 2 * static_cast<uint64_t>(images));
  const auto processor = driver::Processor::open("cpu:");
  network::CompiledNetwork compiled = network::compile_network(graph::fuse_operators(prepared.floats));
  driver::NetworkExecutor floats(std::make_shared<const Network>(std::move(compiled.network)),
                                 workload::processor_code(compiled.functions), *processor, nullptr);
  const auto count = [&](driver::NetworkExecutor& network, int64_t before) {
    return workload::count_correct(
        digits, images,
        [&](const graph::Inputs& inputs) {
          for (const auto& [name, value] : inputs) network.set_input(name, value);
          network.run();
          return network.output(0);
        },
        [&](int64_t done) { progress.advance(static_cast<uint64_t>(before + done)); });
  };
  const int64_t in_floats = count(floats, 0);
  return {images, in_floats, count(executor, images)};
}

bool runs_in_floats(const ModelArguments& a) {
  return a.target.uri == kProcessorTarget || is_gpu_target(a.target.uri);
}

int run_model(ModelArguments a) {
  if (runs_in_floats(a)) return run_floats(a);
  std::vector<std::pair<std::string, std::string>> written = {
      {"--trace", a.target.trace}, {"--vcd", a.target.vcd}, {"--html", a.html.file()}};
  require_different(written);
  a.html.check();
  a.energy.load();
  const isa::Config config = a.config.load();
  const MemoryTiming memory =
      a.what_if ? what_if_memory(a.target, config) : a.target.memory_setting(config).value_or(MemoryTiming{});
  std::optional<workload::Digits> digits;
  if (a.digits > 0) {
    digits = load_test_digits();
    if (a.digits > static_cast<uint64_t>(digits->count())) {
      fail("--digits is {}, there are {}", a.digits, digits->count());
    }
  }
  const PreparedModel model = a.options.prepare(a.model, config, memory);
  const workload::PreparedNetwork& prepared = model.network;
  const Network& network = prepared.compiled.network;
  if (a.what_if && network.programs.empty())
    fail("--what-if: nothing of {} runs on an accelerator; leave it out", network.name);
  const graph::Inputs inputs = a.inputs_of(network, model.calibration.front());
  for (const auto& [name, value] : inputs) {
    require_finite("the input " + name, value, ", --target cpu: runs the network on floats");
  }
  const auto outputs = a.files.files_of_outputs(network);
  for (const auto& [name, file] : outputs) written.emplace_back("--output " + name, file);
  require_different(written);

  const auto device = a.target.open(config, a.html.observer(config));
  const auto processor = driver::Processor::open("cpu:");
  driver::NetworkExecutor executor(std::make_shared<const Network>(prepared.compiled.network),
                                   workload::processor_code(prepared.compiled.functions), *processor, device.get());
  std::string wrong;
  workload::NodeCheck check(prepared.compiled.graph, executor);
  const workload::NetworkMeasurement measured = [&] {
    Progress progress("steps", network.steps.size());
    return workload::measure_network(executor, inputs, [&](size_t n) {
      if (a.check && wrong.empty()) wrong = check(n - 1).value_or("");
      progress.advance(n);
    });
  }();
  device->finish_trace();
  a.html.stop();
  Told told;
  if (digits) told = classify(*digits, static_cast<int64_t>(a.digits), prepared, executor);
  const std::vector<Tensor> expected = workload::run_on_processor(prepared.parts.graph, inputs);
  for (size_t i = 0; i < expected.size() && wrong.empty(); ++i) {
    wrong = difference(expected[i], measured.outputs[i]).value_or("");
  }
  const Accuracy accuracy = accuracy_of(run_for_logits(prepared.floats, inputs),
                                        run_for_logits(prepared.integers.graph, inputs), class_axis(prepared.floats));
  const bool ok = wrong.empty();
  for (const auto& [name, file] : outputs) write_npy(file, executor.output(name));
  if (measured.has_cycles) warn_of_clock(config);

  std::vector<workload::QuantizedLayer> quantized;
  std::vector<workload::WeightAccuracy> weights;
  if (a.quantization) quantized = workload::quantization_report(prepared, inputs);
  // Those of a file that states them are as they are.
  if (a.quantization && !prepared.states_scales) weights = workload::weight_accuracies(prepared.floats);
  NetworkReport report{executor.network(), a.target, measured,
                       energy_report(a.energy, network, a.target.uri, measured)};
  if (ok && a.what_if) {
    try {
      report.what_ifs = network_what_ifs(prepared.integers.graph, config, memory, a.options.effort);
    } catch (const Stopped&) {
      print_error("stopped\n");
      return status_of_stop();
    }
  }
  if (a.json) {
    Json json = report.json();
    json["ok"] = ok;
    json["accuracy"] = {{"snr_db", accuracy.snr_db}, {"cosine", accuracy.cosine}};
    if (accuracy.lists > 0) {
      json["accuracy"]["same_class"] = accuracy.same == accuracy.lists;
      json["accuracy"]["lists"] = accuracy.lists;
      json["accuracy"]["lists_of_same_class"] = accuracy.same;
    }
    if (prepared.states_scales) json["states_scales"] = true;
    if (!ok) json["mismatch"] = wrong;
    if (a.quantization) json["quantization"] = quantization_json(quantized);
    if (!weights.empty()) json["weights"] = weights_json(weights);
    if (!prepared.kept_floats.empty()) json["kept_floats"] = kept_floats_json(prepared);
    if (told.images > 0) {
      json["accuracy"]["images"] = told.images;
      json["accuracy"]["correct"] = told.in_integers;
      json["accuracy"]["correct_in_floats"] = told.in_floats;
    }
    print_out("{}\n", json_text(json));
  } else {
    if (a.quantization) print_out("{}\n", quantization_table(quantized));
    if (!weights.empty()) print_out("{}\n", weights_table(weights));
    if (!prepared.kept_floats.empty()) print_out("{}\n", kept_floats_table(prepared));
    print_out("{}{}", report.text(a.layers), wrapped(accuracy_text(accuracy), 0));
    if (network.programs.empty()) print_out("Nothing of it runs on the accelerator.\n");
    if (prepared.states_scales) print_out("The network states its scales itself: no others were chosen.\n");
    if (told.images > 0) {
      print_out("Of {} digits {} are told in integers, {} in floats.\n", told.images, told.in_integers, told.in_floats);
    }
    if (ok && a.check) print_out("All {} steps make what their operators' plain loops make.\n", network.steps.size());
    if (ok) print_out("All outputs equal those of the same integers on the processor.\n");
  }
  if (ok) report.write(a.html, a.json);
  if (!ok) print_error("error: the network's result is wrong: {}\n", wrong);
  return ok ? 0 : 1;
}

}  // namespace

namespace {

// A check that a name is one of such files'.
CLI::Validator onnx_file() {
  return {[](std::string& text) -> std::string {
            return is_onnx_file(text) ? "" : fmt::format("'{}' is no ONNX file; its name would end in .onnx", text);
          },
          ""};
}

// What all networks take, in the order of their pages.
void add_network_options(CLI::App& command, ModelArguments& a) {
  a.config.add_to(command);
  a.target.add_to(command, fmt::format("; or {} or cuda:, the network's floats on this machine's processor or a GPU",
                                       kProcessorTarget));
  a.options.add_to(command);
  a.files.add_to(command);
  command.add_option("--image", a.image, "a picture to run on, PNG or JPEG: its middle, scaled to the network's input")
      ->type_name("FILE")
      ->check(not_empty());
  command.add_flag("--layers", a.layers, "show every step");
  a.energy.add_to(command);
  a.html.add_to(command);
  add_what_if_flag(command, a.what_if, "cores and memories with more of something");
  command.add_flag("--quantization", a.quantization, "show of every value its scale, what is clipped, and its SNR");
  command.add_flag("--check", a.check, "compare every step with its operators' plain loops");
  command.add_option("--threads", a.threads, fmt::format("of {}; 0: as many as there are cores", kProcessorTarget))
      ->check(whole_number(0, 1024))
      ->capture_default_str();
  command
      .add_option("--repeat", a.repeat,
                  fmt::format("with {} or cuda:, also run it so often, and say how long a run takes", kProcessorTarget))
      ->check(whole_number(1, 1'000'000));
}

// What is said of an accelerator, or of integers, means nothing where floats run on the processor or a GPU.
void require_meaning(const CLI::App& command, const ModelArguments& a) {
  const auto refuse = [&](const std::vector<std::string>& options, std::string_view why) {
    refuse_options(command, options, why);
  };
  const bool on_gpu = is_gpu_target(a.target.uri);
  if (runs_in_floats(a)) {
    refuse({"--config", "--memory", "--trace", "--vcd", "--device-log", "--search", "--energy", "--what-if"},
           fmt::format("is for accelerators, --target {} runs on {}", a.target.uri,
                       on_gpu ? "a GPU" : "this machine's processor"));
    std::vector<std::string> of_integers = a.options.integer_options;
    of_integers.insert(of_integers.end(), {"--quantization", "--digits"});
    refuse(of_integers, fmt::format("is for integers, --target {} runs the network's floats", a.target.uri));
    if (on_gpu) refuse({"--threads"}, fmt::format("is for --target {}", kProcessorTarget));
  } else {
    refuse({"--threads"}, fmt::format("is for --target {}", kProcessorTarget));
    refuse({"--repeat"}, fmt::format("is for --target {} and cuda:", kProcessorTarget));
  }
}

}  // namespace

void add_run_model(CLI::App& run, const std::string& model, const std::string& meaning, int& status) {
  auto a = std::make_shared<ModelArguments>();
  a->model = model;
  CLI::App* command = run.add_subcommand(model, meaning);
  add_network_options(*command, *a);
  a->options.add_weights_to(*command);
  if (takes_digits(model)) {
    command->add_option("--digits", a->digits, "also classify so many of MNIST's 10,000 test images")
        ->check(whole_number(1, UINT64_MAX));
  }
  add_json_flag(*command, a->json);
  const std::string given = takes_tokens(model) ? "--input input_ids=ids.npy" : "--image photo.jpg";
  command->footer(
      fmt::format("Examples:\n"
                  "  vantage run {0}\n"
                  "  vantage run {0} --layers --config 32x32\n"
                  "  vantage run {0} --energy 45nm\n"
                  "  vantage run {0} {1} --output logits.npy --check\n"
                  "  vantage run {0} --scales multiply-shift --per-channel --json\n"
                  "  vantage run {0} --target cpu: --threads 1 --repeat 20\n"
                  "  vantage run {0} --target cuda: --repeat 100 --check",
                  model, given));
  command->callback([a, command, &status] {
    require_meaning(*command, *a);
    status = run_model(*a);
  });
}

void add_run_onnx(CLI::App& run, int& status) {
  auto a = std::make_shared<ModelArguments>();
  CLI::App* command = run.add_subcommand("onnx", kRunOnnx);
  command->add_option("file", a->model, "the network")->required()->type_name("FILE.onnx")->check(onnx_file());
  add_network_options(*command, *a);
  a->options.add_file_options_to(*command);
  add_json_flag(*command, a->json);
  command->footer(
      "`vantage run FILE.onnx` means the same.\n"
      "Examples:\n"
      "  vantage run net.onnx --input x.npy --output y.npy --layers\n"
      "  vantage run net.onnx --size batch=1 --calibration images.npy --check\n"
      "  vantage run onnx net.onnx --image photo.jpg --config pynq");
  command->callback([a, command, &status] {
    require_meaning(*command, *a);
    status = run_model(*a);
  });
}

}  // namespace vantage::cli
