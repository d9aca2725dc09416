#include "compiler/ops/operators.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"
#include "compiler/ops/attention/attention.h"
#include "compiler/ops/batch_norm/batch_norm.h"
#include "compiler/ops/binary/binary.h"
#include "compiler/ops/conv2d/conv2d.h"
#include "compiler/ops/conv2d/panel_conv2d.h"
#include "compiler/ops/conv2d/pixel_conv2d.h"
#include "compiler/ops/conv2d_transpose/conv2d_transpose.h"
#include "compiler/ops/cumulative/cumulative.h"
#include "compiler/ops/gather/gather.h"
#include "compiler/ops/im2col/im2col.h"
#include "compiler/ops/layer_norm/layer_norm.h"
#include "compiler/ops/matmul/matmul.h"
#include "compiler/ops/matmul/panels.h"
#include "compiler/ops/movement/movement.h"
#include "compiler/ops/pool/pool.h"
#include "compiler/ops/reduce/reduce.h"
#include "compiler/ops/resize/resize.h"
#include "compiler/ops/rotary/rotary.h"
#include "compiler/ops/scatter/scatter.h"
#include "compiler/ops/softmax/softmax.h"
#include "compiler/ops/tiles/tiles.h"
#include "compiler/ops/top_k/top_k.h"
#include "compiler/ops/unary/unary.h"

namespace vantage::ops {

namespace {

std::vector<Operator> all_operators() {
  std::vector<Operator> all = unary_operators();
  const auto add = [&](std::vector<Operator> family) {
    for (Operator& op : family) all.push_back(std::move(op));
  };
  add(binary_operators());
  add(movement_operators());
  add(gather_operators());
  add(scatter_operators());
  add(reduce_operators());
  add(cumulative_operators());
  add({top_k_operator()});
  add(matmul_operators());
  add({conv2d_operator(), conv2d_transpose_operator()});
  add({im2col_operator()});
  add(pool_operators());
  add({batch_norm_operator()});
  add(layer_norm_operators());
  add(softmax_operators());
  add({attention_operator(), rotary_operator()});
  add({resize2d_operator()});
  add(tile_operators());
  add(panel_operators());
  add({panel_conv2d_operator(), pixel_conv2d_operator()});
  return all;
}

}  // namespace

std::span<const Operator> operators() {
  static const std::vector<Operator> kAll = all_operators();
  return kAll;
}

const Operator& find_operator(std::string_view name) {
  const std::span<const Operator> all = operators();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Operator& op) { return op.name == name; });
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  for (const Operator& op : all) names.push_back(op.name);
  fail("there is no operator {}{}", name, did_you_mean(name, names));
}

}  // namespace vantage::ops
