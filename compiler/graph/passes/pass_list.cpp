#include "compiler/graph/passes/pass_list.h"

#include "compiler/graph/passes/constants_last.h"
#include "compiler/graph/passes/eliminate_common.h"
#include "compiler/graph/passes/fold_batch_norm.h"
#include "compiler/graph/passes/fold_bias.h"
#include "compiler/graph/passes/fold_constants.h"
#include "compiler/graph/passes/narrow_weights.h"
#include "compiler/graph/passes/plain_products.h"
#include "compiler/graph/passes/remove_dead_code.h"

namespace vantage::graph {

std::vector<GraphPass> simplifying_passes() {
  return {
      {"narrow_weights", "weights that are integers kept so for products", narrow_weights},
      {"fold_batch_norm", "batch norms into the weights before them", fold_batch_norm},
      {"plain_products", "products in the forms that targets do best", plain_products},
      {"fold_constants", "calls of constants computed", fold_constants},
      {"constants_last", "constants second where either way is the same", constants_last},
      {"fold_bias", "what is added to products made their bias", fold_bias},
      {"eliminate_common_subexpressions", "calls that are the same made one", eliminate_common_subexpressions},
      {"remove_dead_code", "what no output needs dropped", remove_dead_code},
  };
}

}  // namespace vantage::graph
