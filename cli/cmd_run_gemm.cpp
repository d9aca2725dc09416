#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/conv_layer.h"
#include "cli/gemm_options.h"
#include "cli/npy.h"
#include "cli/progress.h"
#include "cli/random_tensor.h"
#include "cli/workload_arguments.h"

namespace vantage::cli {

using ops::GemmBlocks;
using ops::GemmProblem;
using ops::Matrix;

namespace {

struct GemmArguments : WorkloadArguments {
  GemmOptions gemm;
  std::string lhs, rhs, bias_file, out;
};

Matrix transposed(const Matrix& matrix) {
  Matrix result(matrix.cols, matrix.rows);
  for (size_t r = 0; r < matrix.rows; ++r) {
    for (size_t c = 0; c < matrix.cols; ++c) result.at(c, r) = matrix.at(r, c);
  }
  return result;
}

struct Operands {
  Matrix lhs;      // m x k
  Matrix weights;  // n x k: the right-hand side, transposed
  std::optional<Matrix> bias;
};

void refuse_size_options(const CLI::App& command, const std::string& file, std::initializer_list<const char*> sizes) {
  for (const char* size : sizes) {
    if (command.count(size) > 0) fail("{} is taken from the file {}; leave it out", size, file);
  }
}

Operands make_operands(const CLI::App& command, GemmArguments& a, const isa::Config& config) {
  std::mt19937_64 random(a.seed);
  Operands operands;
  std::optional<Matrix> rhs;
  if (!a.lhs.empty()) {
    refuse_size_options(command, a.lhs, {"--m", "--k"});
    operands.lhs = read_npy(a.lhs, NpyType::kInt8);
    a.gemm.m = operands.lhs.rows;
    a.gemm.k = operands.lhs.cols;
  }
  if (!a.rhs.empty()) {
    refuse_size_options(command, a.rhs, {"--k", "--n"});
    rhs = read_npy(a.rhs, NpyType::kInt8);
    if (!a.lhs.empty() && rhs->rows != a.gemm.k) {
      fail("{} is {} x {} and {} is {} x {}: the columns of the first must be the rows of the second", a.lhs, a.gemm.m,
           a.gemm.k, a.rhs, rhs->rows, rhs->cols);
    }
    a.gemm.k = rhs->rows;
    a.gemm.n = rhs->cols;
  }
  a.gemm.check_sizes();
  if (a.lhs.empty()) operands.lhs = random_matrix(a.gemm.m, a.gemm.k, config.inp_bits(), random);
  operands.weights = rhs ? transposed(*rhs) : random_matrix(a.gemm.n, a.gemm.k, config.wgt_bits(), random);
  if (!a.bias_file.empty()) {
    operands.bias = read_npy(a.bias_file, NpyType::kInt32);
    if (operands.bias->rows != 1 || operands.bias->cols != a.gemm.n) {
      fail("{} is {} x {}, expected one value for each of the {} columns", a.bias_file, operands.bias->rows,
           operands.bias->cols, a.gemm.n);
    }
  } else if (a.gemm.bias) {
    operands.bias = random_matrix(1, a.gemm.n, std::min(16, config.acc_bits()), random);
  }
  return operands;
}

int run_gemm(const CLI::App& command, GemmArguments a) {
  if (!a.out.empty()) require_writable(a.out);
  a.check({{"--out", a.out}});
  const isa::Config config = a.config.load();
  if (!a.out.empty() && config.out_bits() > 8) {
    fail("--out writes int8, but configuration {} has outputs of {} bits", config.name(), config.out_bits());
  }
  const Operands operands = make_operands(command, a, config);

  a.gemm.bias = operands.bias.has_value();
  const GemmProblem problem = a.gemm.problem(config);
  const GemmBlocks blocks = a.gemm.blocks(config);

  const auto device = a.target.open(config);
  const ops::Images inputs = images_of(operands.lhs), weights = images_of(operands.weights);
  ConvLayer layer(*device, "gemm", problem.shape(), problem.epilogue, weights, operands.bias,
                  [&](const ops::Conv2dShape&) { return ops::gemm_tiling(config, problem, blocks); });
  const auto output = layer.run(inputs, !a.record.empty());
  device->finish_trace();
  const ops::Images expected = [&] {
    Progress progress("checking rows", a.gemm.m);
    return conv_reference(config, problem.shape(), problem.epilogue, inputs, weights, operands.bias,
                          [&](uint64_t rows) { progress.advance(rows); });
  }();
  WorkloadReport report;
  report.workload = {{"name", "gemm"},
                     {"m", a.gemm.m},
                     {"k", a.gemm.k},
                     {"n", a.gemm.n},
                     {"block_m", blocks.m},
                     {"block_k", blocks.k},
                     {"block_n", blocks.n},
                     {"bias", problem.epilogue.bias},
                     {"shift", problem.epilogue.shift},
                     {"virtual_threads", problem.virtual_threads}};
  report.title = fmt::format("gemm {}x{} . {}x{} in blocks of {}x{}x{} on {} {}\n", a.gemm.m, a.gemm.k, a.gemm.k,
                             a.gemm.n, blocks.m, blocks.k, blocks.n, a.target.uri, config.name());
  report.success = "Successful blocked matrix multiply test!";
  report.difference = first_difference(expected, output.values);
  if (output.bundle) save_bundle(*output.bundle, a.record);
  if (!a.out.empty() && report.difference.empty()) write_npy(a.out, matrix_of(output.values), NpyType::kInt8);
  return report_workload(a, config, output.result, report);
}

}  // namespace

void add_run_gemm(CLI::App& run, int& status) {
  auto a = std::make_shared<GemmArguments>();
  CLI::App* gemm = run.add_subcommand(
      "gemm", "blocked matrix multiply: C = clip((A . B + bias) >> shift, 0, largest output), checked");
  a->add_to(*gemm);
  a->gemm.add_to(*gemm);
  gemm->add_option("--bias-file", a->bias_file, "add this bias: .npy, int32, one value per column")->check(not_empty());
  gemm->add_option("--lhs", a->lhs, "A: .npy, int8, m x k (default: random)")->check(not_empty());
  gemm->add_option("--rhs", a->rhs, "B: .npy, int8, k x n (default: random)")->check(not_empty());
  gemm->add_option("--out", a->out, "write C here: .npy, int8, m x n")->check(not_empty());
  gemm->footer(
      "Examples:\n"
      "  vantage run gemm\n"
      "  vantage run gemm --m 64 --memory ddr3 --trace gemm.json\n"
      "  vantage run gemm --m 100 --k 784 --n 10 --bias --config 8x8\n"
      "  vantage run gemm --lhs a.npy --rhs b.npy --out c.npy\n"
      "  vantage run gemm --virtual-threads 2 --record /tmp/gemm-bundle");
  gemm->callback([a, gemm, &status] { status = run_gemm(*gemm, *a); });
}

}  // namespace vantage::cli
