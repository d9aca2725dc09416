#pragma once

#include "compiler/graph/graph.h"

namespace vantage::graph {

// attention becomes its two products, which an accelerator can take, with a softmax between them:
//
//   matmul(softmax(matmul(query, key^T) * scale + mask), value)
//
// Where heads share keys, their queries are rows of one product. Queries that may see no key keep their zeros. Sums of
// floats are added in another order.
Graph split_attention(Graph graph);

}  // namespace vantage::graph
