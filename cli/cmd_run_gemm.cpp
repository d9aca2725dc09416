#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/tensor/npy.h"
#include "base/tensor/random.h"
#include "cli/commands.h"
#include "cli/gemm_options.h"
#include "cli/idle_options.h"
#include "cli/progress.h"
#include "cli/workload_arguments.h"
#include "cli/wrap.h"
#include "compiler/ops/conv2d/vta_mapping_file.h"
#include "workload/conv2d_reference.h"
#include "workload/conv_layer.h"
#include "workload/matrix.h"
#include "workload/useful_work.h"

namespace vantage::cli {

using ops::GemmBlocks;

namespace {

struct GemmArguments : WorkloadArguments {
  GemmOptions gemm;
  std::string lhs, rhs, bias_file, out;
};

struct Operands {
  Tensor lhs;      // m x k
  Tensor weights;  // n x k: the right-hand side, transposed
  std::optional<Tensor> bias;
};

// A matrix of a file, whose values are to fit lanes of so many bits.
Tensor read_operand(const std::string& file, DType dtype, int bits) {
  Tensor matrix = workload::read_matrix(file, dtype);
  const int64_t high = (int64_t{1} << (bits - 1)) - 1;
  visit_integers(matrix, [&](const auto& values) {
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i] <= high && values[i] >= -high - 1) continue;
      const auto columns = static_cast<size_t>(matrix.extent(1));
      fail("{}: the value {} at row {}, column {} does not fit the configuration's {} bits ({} to {})", file, values[i],
           i / columns, i % columns, bits, -high - 1, high);
    }
  });
  return matrix;
}

Operands make_operands(const CLI::App& command, GemmArguments& a, const isa::Config& config) {
  std::mt19937_64 random(a.seed);
  Operands operands;
  std::optional<Tensor> rhs;
  if (!a.lhs.empty()) {
    refuse_options(command, {"--m", "--k"}, "is taken from the file " + a.lhs);
    operands.lhs = read_operand(a.lhs, kInt8, config.inp_bits());
    a.gemm.m = operands.lhs.extent(0);
    a.gemm.k = operands.lhs.extent(1);
  }
  if (!a.rhs.empty()) {
    refuse_options(command, {"--k", "--n"}, "is taken from the file " + a.rhs);
    rhs = read_operand(a.rhs, kInt8, config.wgt_bits());
    if (!a.lhs.empty() && rhs->extent(0) != a.gemm.k) {
      fail("{} is {} x {} and {} is {} x {}: the columns of the first must be the rows of the second", a.lhs, a.gemm.m,
           a.gemm.k, a.rhs, rhs->extent(0), rhs->extent(1));
    }
    a.gemm.k = rhs->extent(0);
    a.gemm.n = rhs->extent(1);
  }
  a.gemm.check_sizes();
  if (!a.lhs.empty() && rhs && (!a.bias_file.empty() || !a.gemm.bias)) {
    refuse_options(command, {"--seed"}, "is for random operands, and all are taken from files");
  }
  if (a.lhs.empty()) operands.lhs = random_tensor(kInt32, {a.gemm.m, a.gemm.k}, config.inp_bits(), random);
  operands.weights =
      rhs ? rhs->permuted({1, 0}) : random_tensor(kInt32, {a.gemm.n, a.gemm.k}, config.wgt_bits(), random);
  if (!a.bias_file.empty()) {
    operands.bias = read_operand(a.bias_file, kInt32, config.acc_bits());
    if (operands.bias->extent(0) != 1 || operands.bias->extent(1) != a.gemm.n) {
      fail("{} is {} x {}, expected one value for each of the {} columns", a.bias_file, operands.bias->extent(0),
           operands.bias->extent(1), a.gemm.n);
    }
  } else if (a.gemm.bias) {
    operands.bias = random_tensor(kInt32, {1, a.gemm.n}, std::min(16, config.acc_bits()), random);
  }
  return operands;
}

int run_gemm(const CLI::App& command, GemmArguments a) {
  a.check({{"--out", a.out}, {"--save-mapping", a.gemm.search.save_mapping}});
  const isa::Config config = a.config.load();
  if (!a.out.empty() && config.out_bits() > 8) {
    fail("--out writes int8, but configuration {} has outputs of {} bits", config.name(), config.out_bits());
  }
  const Operands operands = make_operands(command, a, config);

  a.gemm.bias = operands.bias.has_value();
  const Conv2dShape shape = as_conv2d(a.gemm.shape());
  const ops::Epilogue epilogue = a.gemm.epilogue(config);
  const bool blocked = a.gemm.is_blocked();
  if (blocked) a.gemm.warn_of_idle_threads(config);
  const workload::MappingRequest request =
      a.gemm.request(config, a.target.memory_setting(config).value_or(MemoryTiming{}));
  const ops::SearchResult found = a.gemm.find(request);

  const auto device = a.target.open(config, a.html.observer(config));
  a.gemm.search.save(found.mapping);
  workload::ConvLayer layer(*device, "gemm", shape, epilogue, operands.weights, operands.bias,
                            [&](const Conv2dShape&) { return found.mapping; });
  const auto output = [&] {
    Progress progress("instructions", 1);
    driver::RunOptions options;
    options.progress = [&](uint64_t retired, uint64_t total) { progress.advance(retired, total); };
    return layer.run(operands.lhs, !a.record.empty(), options);
  }();
  device->finish_trace();
  const Tensor expected = [&] {
    Progress progress("checking rows", static_cast<uint64_t>(a.gemm.m));
    return workload::conv2d_reference(config, shape, epilogue, operands.lhs, operands.weights, operands.bias,
                                      [&](uint64_t rows) { progress.advance(rows); });
  }();
  WorkloadReport report;
  report.workload = {{"name", "gemm"},
                     {"m", a.gemm.m},
                     {"k", a.gemm.k},
                     {"n", a.gemm.n},
                     {"bias", epilogue.bias},
                     {"shift", epilogue.shift},
                     {"mapping", ops::to_json(found.mapping)}};
  report.title = fmt::format("gemm {}x{} . {}x{}", a.gemm.m, a.gemm.k, a.gemm.k, a.gemm.n);
  if (blocked) {
    const GemmBlocks blocks = a.gemm.blocks(config);
    report.workload.update({{"block_m", blocks.m},
                            {"block_k", blocks.k},
                            {"block_n", blocks.n},
                            {"virtual_threads", std::max(1, a.gemm.virtual_threads)}});
    report.title += fmt::format(" in blocks of {}x{}x{}", blocks.m, blocks.k, blocks.n);
  } else {
    report.details = wrapped(fmt::format("{}; {} instructions", mapping_text(found.mapping), output.instructions), 0);
  }
  report.workload["search"] = search_json(found);
  report.work = workload::useful_work(shape, config);
  report.least = output.least;
  report.mapping = mapping_text(found.mapping);
  // Of this project's core, and of its time.
  if (output.result.cycles && a.target.memory_setting(config)) report.bound = found.bound;
  if (a.gemm.search.explain || (a.html.wants_page() && report.bound)) {
    report.what_ifs = a.gemm.search.what_ifs(request, found, blocked);
  }
  report.explanation = a.gemm.search.explanation(found, report.what_ifs, blocked);
  report.success = blocked ? "Successful blocked matrix multiply test!" : "Successful matrix multiply test!";
  report.difference = workload::first_difference(expected, output.values);
  if (output.bundle) save_bundle(*output.bundle, a.record);
  if (!a.out.empty() && report.difference.empty()) write_npy(a.out, output.values.reshaped({a.gemm.m, a.gemm.n}));
  return report_workload(a, config, output.result, report);
}

}  // namespace

void add_run_gemm(CLI::App& run, int& status) {
  auto a = std::make_shared<GemmArguments>();
  CLI::App* gemm = run.add_subcommand(
      "gemm",
      "matrix multiply: C = clip((A . B + bias) >> shift, 0, largest output), checked; tiles chosen by a search");
  a->add_to(*gemm);
  a->gemm.add_to(*gemm);
  gemm->add_option("--bias-file", a->bias_file, "add this bias: .npy, int32, one value per column")
      ->type_name("FILE")
      ->check(not_empty());
  gemm->add_option("--lhs", a->lhs, "A: .npy, int8, m x k; without it random")->type_name("FILE")->check(not_empty());
  gemm->add_option("--rhs", a->rhs, "B: .npy, int8, k x n; without it random")->type_name("FILE")->check(not_empty());
  gemm->add_option("--out", a->out, "write C here: .npy, int8, m x n")->type_name("FILE")->check(not_empty());
  gemm->footer(
      "Examples:\n"
      "  vantage run gemm\n"
      "  vantage run gemm --m 64 --memory ddr3 --trace gemm.json\n"
      "  vantage run gemm --m 100 --k 784 --n 10 --bias --config 8x8\n"
      "  # with operands of one's own: here with a result as the left-hand side\n"
      "  vantage run gemm --m 16 --k 64 --n 64 --out a.npy\n"
      "  vantage run gemm --lhs a.npy --n 32 --out c.npy\n"
      "  vantage run gemm --m 128 --k 128 --n 128 --explain\n"
      "  vantage run gemm --m 64 --energy 45nm\n"
      "  vantage run gemm --blocks --virtual-threads 2 --record run.bundle");
  gemm->callback([a, gemm, &status] { status = run_gemm(*gemm, *a); });
}

}  // namespace vantage::cli
