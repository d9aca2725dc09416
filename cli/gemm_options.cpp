#include "cli/gemm_options.h"

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/math.h"
#include "cli/options.h"
#include "cli/output.h"

namespace vantage::cli {

namespace {

constexpr uint64_t kMaxGemmSide = uint64_t{1} << 20;
// Of one matrix: what the host holds several times over while it checks.
constexpr int64_t kMaxGemmElements = int64_t{1} << 28;

}  // namespace

void GemmOptions::add_sizes_to(CLI::App& app) {
  const auto side = whole_number(1, kMaxGemmSide);
  app.add_option("--m", m, "rows of A and C")->check(side)->capture_default_str();
  app.add_option("--k", k, "columns of A, rows of B")->check(side)->capture_default_str();
  app.add_option("--n", n, "columns of B and C")->check(side)->capture_default_str();
}

void GemmOptions::add_to(CLI::App& app, bool runs) {
  add_sizes_to(app);
  const auto side = whole_number(1, kMaxGemmSide);
  app.add_flag("--blocks", in_blocks, "VTA's own schedule, in blocks of 256, instead of one that is searched for");
  app.add_option("--block-m", block_m, "the same with so many rows at a time; without it 256, or what fits")
      ->check(side);
  app.add_option("--block-k", block_k, "depth worked on at a time")->check(side);
  app.add_option("--block-n", block_n, "columns worked on at a time")->check(side);
  app.add_flag("--bias", bias, "add a random bias to every column");
  app.add_option("--shift", shift, "arithmetic right shift of the sums")
      ->check(whole_number(0, 31))
      ->capture_default_str();
  app.add_option("--virtual-threads", virtual_threads,
                 "the same with threads that share the scratchpads, without it one")
      ->check(whole_number(1, 16));
  search.add_to(app, runs);
}

std::vector<std::string> GemmOptions::mapping_options() {
  return {"--blocks", "--block-m", "--block-k", "--block-n", "--virtual-threads", "--search", "--mapping"};
}

bool GemmOptions::is_blocked() const {
  const bool blocked = in_blocks || block_m != 0 || block_k != 0 || block_n != 0 || virtual_threads != 0;
  if (blocked && !search.mapping.empty()) {
    fail(
        "--mapping {} says all of the tiling; leave --blocks, --block-m, --block-k, --block-n and --virtual-threads "
        "out",
        search.mapping);
  }
  if (blocked && !search.effort.empty()) {
    fail(
        "--search {}: blocks are not searched for; leave it out, or --blocks, --block-m, --block-k, --block-n and "
        "--virtual-threads",
        search.effort);
  }
  return blocked;
}

void GemmOptions::check_sizes() const {
  if (m == 0 || k == 0 || n == 0) fail("a matrix multiply of {} x {} x {} has nothing to multiply", m, k, n);
  for (const auto& [rows, cols] : {std::pair{m, k}, {k, n}, {m, n}}) {
    if (rows > kMaxGemmElements / cols) {
      fail("a matrix of {} x {} has more than {} elements; use smaller sizes", rows, cols, kMaxGemmElements);
    }
  }
}

MatmulShape GemmOptions::shape() const {
  return {.m = m, .n = n, .k = k, .dtype = kInt8};
}

ops::Epilogue GemmOptions::epilogue(const isa::Config& config) const {
  return {bias, shift, 0, (1 << (config.out_bits() - 1)) - 1};
}

ops::GemmBlocks GemmOptions::blocks(const isa::Config& config) const {
  const auto check = [](const char* option, int64_t given, const char* size, int64_t is, int lanes) {
    const int64_t most = round_up(is, lanes);
    if (given > most) fail("{} is {}, but {} is {}; give at most {}", option, given, size, is, most);
  };
  check("--block-m", block_m, "--m", m, config.batch());
  check("--block-k", block_k, "--k", k, config.block_in());
  check("--block-n", block_n, "--n", n, config.block_out());
  return ops::choose_gemm_blocks(config, shape(), bias, std::max(1, virtual_threads), {block_m, block_k, block_n});
}

void GemmOptions::warn_of_idle_threads(const isa::Config& config) const {
  const ops::GemmBlocks b = blocks(config);
  const int64_t count = ops::result_blocks(config, shape(), b);
  if (count >= virtual_threads) return;
  print_error(
      "warning: --virtual-threads {}: the result has {} block{} of {}x{}, so {} of the threads {} nothing to do; "
      "smaller "
      "blocks (--block-m, --block-n) or fewer threads would change that\n",
      virtual_threads, count, count == 1 ? "" : "s", b.m, b.n, virtual_threads - count,
      virtual_threads - count == 1 ? "has" : "have");
}

workload::MappingRequest GemmOptions::request(const isa::Config& config, const MemoryTiming& memory) const {
  return {.shape = as_conv2d(shape()), .epilogue = epilogue(config), .config = config, .memory = memory};
}

ops::SearchResult GemmOptions::find(const workload::MappingRequest& request) const {
  if (!is_blocked()) return search.find(request);
  return workload::weigh_mapping(
      request, ops::gemm_tiling(request.config, shape(), blocks(request.config), std::max(1, virtual_threads)));
}

}  // namespace vantage::cli
