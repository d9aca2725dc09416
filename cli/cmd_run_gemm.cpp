#include <CLI/CLI.hpp>
#include <random>

#include "cli/commands.h"
#include "cli/dense_layer.h"
#include "cli/npy.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "driver/device/device.h"
#include "hw/spec/error.h"
#include "hw/spec/file.h"

namespace vantage::cli {

using compiler::GemmBlocks;
using compiler::GemmProblem;
using compiler::Matrix;

namespace {

constexpr uint64_t kMaxSide = 1 << 20;
constexpr uint64_t kMaxElements = 1 << 28;  // of one matrix

struct GemmArguments {
  ConfigOption config;
  TargetOptions target{"systemc:"};
  uint64_t m = 1, k = 1024, n = 1024;
  uint64_t block_m = 0, block_k = 0, block_n = 0;  // 0: chosen
  bool bias = false;
  int shift = 8;
  int virtual_threads = 1;
  uint64_t seed = 1;
  std::string lhs, rhs, bias_file, out, record;
  bool json = false;
};

// Values that use an eighth of the range, so that sums stay mostly inside what the shift and the clip leave.
Matrix random_matrix(size_t rows, size_t cols, int bits, std::mt19937_64& random) {
  const int32_t bound = std::max(1, (1 << (bits - 1)) / 8);
  std::uniform_int_distribution<int32_t> values(-bound, bound - 1);
  Matrix matrix(rows, cols);
  for (int32_t& value : matrix.values) value = values(random);
  return matrix;
}

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

Operands make_operands(const CLI::App& command, GemmArguments& a, const spec::Config& config) {
  std::mt19937_64 random(a.seed);
  Operands operands;
  std::optional<Matrix> rhs;
  if (!a.lhs.empty()) {
    refuse_size_options(command, a.lhs, {"--m", "--k"});
    operands.lhs = read_npy(a.lhs, NpyType::kInt8);
    a.m = operands.lhs.rows;
    a.k = operands.lhs.cols;
  }
  if (!a.rhs.empty()) {
    refuse_size_options(command, a.rhs, {"--k", "--n"});
    rhs = read_npy(a.rhs, NpyType::kInt8);
    if (!a.lhs.empty() && rhs->rows != a.k) {
      fail("{} is {} x {} and {} is {} x {}: the columns of the first must be the rows of the second", a.lhs, a.m, a.k,
           a.rhs, rhs->rows, rhs->cols);
    }
    a.k = rhs->rows;
    a.n = rhs->cols;
  }
  if (a.m == 0 || a.k == 0 || a.n == 0)
    fail("a matrix multiply of {} x {} x {} has nothing to multiply", a.m, a.k, a.n);
  for (const auto& [rows, cols] : {std::pair{a.m, a.k}, {a.k, a.n}, {a.m, a.n}}) {
    if (rows > kMaxElements / cols) {
      fail("a matrix of {} x {} has more than {} elements; use smaller sizes", rows, cols, kMaxElements);
    }
  }
  if (a.lhs.empty()) operands.lhs = random_matrix(a.m, a.k, config.inp_bits(), random);
  operands.weights = rhs ? transposed(*rhs) : random_matrix(a.n, a.k, config.wgt_bits(), random);
  if (!a.bias_file.empty()) {
    operands.bias = read_npy(a.bias_file, NpyType::kInt32);
    if (operands.bias->rows != 1 || operands.bias->cols != a.n) {
      fail("{} is {} x {}, expected one value for each of the {} columns", a.bias_file, operands.bias->rows,
           operands.bias->cols, a.n);
    }
  } else if (a.bias) {
    operands.bias = random_matrix(1, a.n, std::min(16, config.acc_bits()), random);
  }
  return operands;
}

// Empty when equal.
std::string first_difference(const Matrix& expected, const Matrix& got) {
  for (size_t r = 0; r < expected.rows; ++r) {
    for (size_t c = 0; c < expected.cols; ++c) {
      if (expected.at(r, c) != got.at(r, c)) {
        return fmt::format("first mismatch at row {}, column {}: expected {}, got {}", r, c, expected.at(r, c),
                           got.at(r, c));
      }
    }
  }
  return {};
}

int run_gemm(const CLI::App& command, GemmArguments a) {
  if (!a.out.empty()) require_writable(a.out);
  if (!a.record.empty()) require_new_directory(a.record);
  require_different({{"--out", a.out}, {"--record", a.record}, {"--trace", a.target.trace}, {"--vcd", a.target.vcd}});
  const spec::Config config = a.config.load();
  if (!a.out.empty() && config.out_bits() > 8) {
    fail("--out writes int8, but configuration {} has outputs of {} bits", config.name(), config.out_bits());
  }
  const Operands operands = make_operands(command, a, config);

  GemmProblem problem{a.m, a.k, a.n};
  problem.shift = a.shift;
  problem.clip_min = 0;
  problem.clip_max = (1 << (config.out_bits() - 1)) - 1;
  problem.virtual_threads = a.virtual_threads;
  problem.bias = operands.bias.has_value();
  const GemmBlocks blocks = choose_gemm_blocks(config, problem, {a.block_m, a.block_k, a.block_n});

  const auto device = a.target.open(config);
  DenseLayer layer(*device, "gemm", problem, blocks, operands.weights, operands.bias);
  const auto output = layer.run(operands.lhs, !a.record.empty());
  device->finish_trace();
  const Matrix expected = [&] {
    Progress progress("checking rows", a.m);
    return dense_reference(config, problem, operands.lhs, operands.weights, operands.bias,
                           [&](uint64_t rows) { progress.advance(rows); });
  }();
  const std::string difference = first_difference(expected, output.values);
  const bool ok = difference.empty();

  if (output.bundle) save_bundle(*output.bundle, a.record);
  if (!a.out.empty() && ok) write_npy(a.out, output.values, NpyType::kInt8);
  print_warnings(output.result);
  if (a.json) {
    Json json = report_json(ok, a.target.uri, config, output.result);
    if (!ok) json["mismatch"] = difference;
    json["workload"] = {{"name", "gemm"},
                        {"m", a.m},
                        {"k", a.k},
                        {"n", a.n},
                        {"block_m", blocks.m},
                        {"block_k", blocks.k},
                        {"block_n", blocks.n},
                        {"bias", problem.bias},
                        {"shift", problem.shift},
                        {"virtual_threads", problem.virtual_threads}};
    fmt::print("{}\n", json_text(json));
  } else {
    fmt::print("gemm {}x{} . {}x{} in blocks of {}x{}x{} on {} {}\n", a.m, a.k, a.k, a.n, blocks.m, blocks.k, blocks.n,
               a.target.uri, config.name());
    fmt::print("{}", run_table(config, output.result));
    if (ok) fmt::print("Successful blocked matrix multiply test!\n");
  }
  if (!ok) fmt::print(stderr, "error: the device's result is wrong: {}\n", difference);
  return ok ? 0 : 1;
}

}  // namespace

void add_run_gemm(CLI::App& run, int& status) {
  auto a = std::make_shared<GemmArguments>();
  CLI::App* gemm = run.add_subcommand(
      "gemm", "blocked matrix multiply: C = clip((A . B + bias) >> shift, 0, largest output), checked");
  const auto side = whole_number(1, kMaxSide);
  a->config.add_to(*gemm);
  a->target.add_to(*gemm);
  gemm->add_option("--m", a->m, "rows of A and C")->check(side)->capture_default_str();
  gemm->add_option("--k", a->k, "columns of A, rows of B")->check(side)->capture_default_str();
  gemm->add_option("--n", a->n, "columns of B and C")->check(side)->capture_default_str();
  gemm->add_option("--block-m", a->block_m, "rows worked on at a time (default: 256, or what fits)")->check(side);
  gemm->add_option("--block-k", a->block_k, "depth worked on at a time")->check(side);
  gemm->add_option("--block-n", a->block_n, "columns worked on at a time")->check(side);
  gemm->add_flag("--bias", a->bias, "add a random bias to every column");
  gemm->add_option("--bias-file", a->bias_file, "add this bias: .npy, int32, one value per column")->check(not_empty());
  gemm->add_option("--shift", a->shift, "arithmetic right shift of the sums")
      ->check(whole_number(0, 31))
      ->capture_default_str();
  gemm->add_option("--virtual-threads", a->virtual_threads, "threads that share the scratchpads, to hide latency")
      ->check(whole_number(1, 16))
      ->capture_default_str();
  gemm->add_option("--lhs", a->lhs, "A: .npy, int8, m x k (default: random)")->check(not_empty());
  gemm->add_option("--rhs", a->rhs, "B: .npy, int8, k x n (default: random)")->check(not_empty());
  gemm->add_option("--out", a->out, "write C here: .npy, int8, m x n")->check(not_empty());
  gemm->add_option("--seed", a->seed, "seed of the random operands")
      ->check(whole_number(0, UINT64_MAX))
      ->capture_default_str();
  gemm->add_option("--record", a->record, "write the run as a replay bundle into this new directory")
      ->check(not_empty());
  add_json_flag(*gemm, a->json);
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
