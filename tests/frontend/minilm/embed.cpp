// Sentences as vectors by MiniLM, in floats on the processor and in integers on a simulated accelerator.
//
//   minilm_embed WEIGHTS FOLDER [SHARE [integer-functions]]
//
// SHARE, 0.25 without it, of its multiplications stay floats: those that lose the most. GELU is computed in integers
// with the last argument.
//
// The folder has calibration_ids.npy, calibration_mask.npy, ids.npy and mask.npy, int64 [sentences, tokens]; floats.npy
// and integers.npy, float32 [sentences, 384], are written beside them.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/tensor/npy.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/graph/passes/fuse.h"
#include "driver/open/open.h"
#include "driver/runtime/executor.h"
#include "frontend/models/models.h"
#include "tests/support/first_mapping.h"
#include "workload/prepared_network.h"

namespace {

using namespace vantage;
namespace fs = std::filesystem;

std::vector<graph::Inputs> inputs_from(const fs::path& folder, const std::string& prefix) {
  const Tensor ids = read_npy(folder / (prefix + "ids.npy"), kInt64);
  const Tensor mask = read_npy(folder / (prefix + "mask.npy"), kInt64);
  std::vector<graph::Inputs> inputs;
  for (int64_t row = 0; row < ids.extent(0); ++row) {
    inputs.push_back({{"input_ids", ids.rows(row, 1)}, {"attention_mask", mask.rows(row, 1)}});
  }
  return inputs;
}

void embed(driver::NetworkExecutor& network, const std::vector<graph::Inputs>& sentences, const fs::path& to) {
  Tensor all(kFloat32, {static_cast<int64_t>(sentences.size()), 384});
  float* next = all.values<float>().data();
  for (const graph::Inputs& sentence : sentences) {
    for (const auto& [name, value] : sentence) network.set_input(name, value);
    network.run();
    const Tensor embedding = network.output(0);
    next = std::ranges::copy(embedding.values<float>(), next).out;
  }
  write_npy(to, all);
}

void run(const fs::path& weights, const fs::path& folder, double float_share, bool has_integer_functions) {
  const std::vector<graph::Inputs> calibration = inputs_from(folder, "calibration_"),
                                   sentences = inputs_from(folder, "");
  const int64_t tokens = sentences.at(0).at("input_ids").extent(1);
  graph::Graph model = models::find_model("minilm").build(models::weights_from(weights), {{"sequence", tokens}});
  const auto processor = driver::Processor::open("cpu:", 1);
  {
    network::CompiledNetwork compiled = network::compile_network(graph::fuse_operators(model));
    driver::NetworkExecutor floats(std::make_shared<const Network>(std::move(compiled.network)),
                                   cpu::jit(compiled.functions), *processor, nullptr);
    embed(floats, sentences, folder / "floats.npy");
  }
  const isa::Config config = isa::Config::vta_default();
  workload::PrepareOptions options = workload::accurate_options_for(config);
  options.compile.threads = 2;
  options.compile.find_mapping = test::first_mappings(config);
  options.float_share = float_share;
  options.quantize.integer_functions = has_integer_functions;
  const workload::PreparedNetwork prepared = workload::prepare_network(std::move(model), calibration, options);
  const auto device = driver::open_accelerator("fsim:", config);
  driver::NetworkExecutor integers(std::make_shared<const Network>(prepared.compiled.network),
                                   cpu::jit(prepared.compiled.functions), *processor, device.get());
  embed(integers, sentences, folder / "integers.npy");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 5) {
    std::fprintf(stderr, "usage: %s WEIGHTS FOLDER [SHARE [integer-functions]]\n", argv[0]);
    return 2;
  }
  try {
    run(argv[1], argv[2], argc > 3 ? std::stod(argv[3]) : 0.25, argc > 4);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
