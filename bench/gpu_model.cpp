#include "bench/gpu_model.h"

#include "compiler/ops/cuda/block_facts.h"
#include "compiler/ops/cuda/product_cost.h"
#include "compiler/ops/cuda/product_schedule.h"
#include "compiler/schedule/schedule.h"

namespace vantage::bench {

double modelled_cycles(const ir::PrimFunc& definition, const cuda::Architecture& architecture) {
  schedule::Schedule s(definition);
  double cycles = 0;
  for (const std::string& block : ops::names_of_blocks(definition)) {
    if (!ops::is_tiled_product(s, block)) continue;
    const ops::ProductForm form = ops::product_form(s, block).value();
    if (form.sums != kFloat32 || form.sides[0].operand->dtype != kFloat32) continue;  // by tensor cores, mostly
    const std::vector<ops::ProductTile> tiles = ops::product_tiles(form, architecture);
    if (!tiles.empty()) cycles += ops::product_cycles(form, tiles.front(), architecture);
  }
  return cycles;
}

}  // namespace vantage::bench
