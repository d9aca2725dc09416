// What warpgroups do, and the copies that it is fed by.
#include <algorithm>

#include "base/error.h"
#include "compiler/backend/cuda/box_copy.h"
#include "compiler/backend/cuda/stmt_writer.h"
#include "compiler/ir/printer.h"

namespace vantage::cuda {

using namespace ir;

namespace {

const View& view_of(const Call& call, size_t i) {
  return *call.arguments[i].as<View>();
}

int64_t last_extent(const View& view) {
  return *as_int(view.box.back().extent);
}

}  // namespace

// "vt::multiply_group<256, false, true>(&C_group[0], vt::matrix(&A_shared[...], 16384), ...);"
void StmtWriter::group_product(const Call& call) {
  const View &c = view_of(call, 0), &a = view_of(call, 1), &b = view_of(call, 2);
  const GroupProduct product{a.buffer->dtype, last_extent(c), is_int(call.arguments[3], 1),
                             is_int(call.arguments[4], 1)};
  products.insert(product);
  const auto matrix = [&](const View& view) {
    const Expr offset = swizzled_offset(view, last_extent(view), analyzer_);
    require_multiple(offset, 1, view);
    return fmt::format("vt::matrix(&{}[{}], {})", names_.of(view.buffer), expr_.index(offset),
                       column_distance(view.buffer));
  };
  line(fmt::format("{}({}, {}, {});", call_name(product), tile(c), matrix(a), matrix(b)));
}

// One copy for each column of 128 bytes.
void StmtWriter::copy_box(const Call& call) {
  const BoxCopy copy = cuda::box_copy(call);
  const Buffer &to = copy.to->buffer, &from = copy.from->buffer;
  if (arrivals_.count(*as_int(copy.pipeline)) == 0) {
    fail("{} is filled by copies of boxes, which a pipeline waits for; note pipeline_stages at the loop around them",
         to->name);
  }
  const std::string& arrivals = arrivals_of(copy.pipeline);
  const TensorMap wanted{from, copy.column()};
  const auto map = std::ranges::find(maps, wanted, &NamedMap::map);
  VANTAGE_CHECK(map != maps.end());
  const Expr offset = swizzled_offset(*copy.to, copy.column_elements(), analyzer_);
  for (int64_t column = 0; column < copy.columns(); ++column) {
    const Expr place = analyzer_.simplify(offset + make_int(kIndex, column * copy.column_size()));
    // The engine counts dimensions from the one whose elements lie side by side.
    std::string at;
    for (size_t d = copy.first.size(); d-- > 0;) {
      Expr first = copy.first[d];
      if (d == copy.columns_dimension()) first = first + make_int(first.dtype(), column * copy.column_elements());
      at += ", " + expr_.index(analyzer_.simplify(first));
    }
    line(fmt::format("{}.copy<{}>(&{}[{}], {}, {}{});", arrivals, copy.column_size() * to->dtype.bytes(), names_.of(to),
                     expr_.index(place), map->name, expr_.index(copy.place), at));
  }
}

void StmtWriter::begin_arrivals(const Call& call) {
  const int64_t pipeline = *as_int(call.arguments[0]);
  const std::string memory = names_.fresh("arrivals_memory"), name = names_.fresh("arrivals");
  const std::string places = expr_.index(call.arguments[1]);
  line(fmt::format("__shared__ unsigned long long {}[{}];", memory, places));
  line(fmt::format("vt::arrivals<{}> {}({}, {});", places, name, memory, expr_.index(call.arguments[2])));
  arrivals_[pipeline] = name;
}

const std::string& StmtWriter::arrivals_of(const Expr& pipeline) const {
  return arrivals_.at(*as_int(pipeline));
}

}  // namespace vantage::cuda
