#include "cli/elementwise_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/math.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "hw/isa/layout.h"

namespace vantage::cli {

void ElementwiseOptions::add_to(CLI::App& app) {
  app.add_option("--size", size, "values of A, B and C")->check(whole_number(1, 1 << 28))->capture_default_str();
  app.add_option("--op", op, "what combines them")
      ->type_name("NAME")
      ->check(one_of({"add", "mul", "min", "max"}))
      ->capture_default_str();
  const auto immediates = isa::fixed_range(isa::Format::kAlu, isa::FieldId::kImm);
  app.add_option("--immediate", immediate, "a constant instead of B")
      ->check(integer(immediates.lowest, immediates.highest));
  app.add_option("--shift", shift, "arithmetic right shift of the results")
      ->check(whole_number(0, 31))
      ->capture_default_str();
  app.add_option("--tile", tile, "accumulators computed at a time; without it chosen")->check(whole_number(1, 1 << 20));
  app.add_option("--virtual-threads", virtual_threads, "threads that share the scratchpads")
      ->check(whole_number(1, 16));
}

ops::Elementwise ElementwiseOptions::layer(const isa::Config& config) const {
  const int largest = (1 << (config.out_bits() - 1)) - 1;
  return ops::combination(size, *isa::alu_op_from_name(op), immediate, shift, -largest - 1, largest);
}

ops::ElementwiseSearch ElementwiseOptions::find(const ops::Elementwise& layer, const isa::Config& config,
                                                const MemoryTiming& memory) const {
  const int64_t elements = ceil_div(layer.size, int64_t{config.batch()} * config.block_out());
  if (tile > elements)
    fail("--tile is {}, but the layer has {} accumulators; give at most {}", tile, elements, elements);
  return ops::search_elementwise(layer, config, {tile, virtual_threads}, memory);
}

}  // namespace vantage::cli
