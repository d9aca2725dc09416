#include "compiler/backend/cuda/externs.h"

#include "compiler/backend/cuda/calls.h"

namespace vantage::cuda {

using namespace ir;

namespace {

// The tile of a box, whose other dimensions are of one element.
class TileView {
 public:
  explicit TileView(const ExternView& view) : view_(view), index_(view.extents().size()) {}
  int64_t rows() const { return size(2); }
  int64_t columns() const { return size(1); }
  Scalar get(int64_t row, int64_t column) { return view_.get(at(row, column)); }
  void set(int64_t row, int64_t column, Scalar value) { view_.set(at(row, column), value); }
  DType dtype() const { return view_.dtype(); }

  // All of its elements by rows, or by columns.
  std::vector<Scalar> elements(bool by_columns) {
    std::vector<Scalar> all;
    const int64_t outer = by_columns ? columns() : rows(), inner = by_columns ? rows() : columns();
    all.reserve(static_cast<size_t>(outer * inner));
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t i = 0; i < inner; ++i) all.push_back(by_columns ? get(i, o) : get(o, i));
    }
    return all;
  }

 private:
  int64_t size(size_t from_end) const { return view_.extents()[view_.extents().size() - from_end]; }
  const std::vector<int64_t>& at(int64_t row, int64_t column) {
    index_[index_.size() - 2] = row;
    index_[index_.size() - 1] = column;
    return index_;
  }

  const ExternView& view_;
  std::vector<int64_t> index_;
};

void copy_tile(ExternCall& call) {
  TileView to(call.view(0)), from(call.view(1));
  for (int64_t r = 0; r < to.rows(); ++r) {
    for (int64_t c = 0; c < to.columns(); ++c) {
      to.set(r, c, convert(from.dtype(), to.dtype(), from.get(r, c)));
    }
  }
}

void fill_tile(ExternCall& call) {
  TileView to(call.view(0));
  for (int64_t r = 0; r < to.rows(); ++r) {
    for (int64_t c = 0; c < to.columns(); ++c) to.set(r, c, convert(kInt32, to.dtype(), {.i = 0}));
  }
}

// Sums round after every step, in the order of the depth; the hardware's do not say how they round.
void multiply_tiles(ExternCall& call) {
  TileView c(call.view(0)), a(call.view(1)), b(call.view(2));
  const bool a_transposed = call.integer(3) != 0, b_transposed = call.integer(4) != 0;
  const auto depth = static_cast<size_t>(a_transposed ? a.rows() : a.columns());
  // Both along the depth, each element read once.
  const std::vector<Scalar> rows = a.elements(a_transposed), columns = b.elements(!b_transposed);
  const DType type = c.dtype();
  for (int64_t i = 0; i < c.rows(); ++i) {
    for (int64_t j = 0; j < c.columns(); ++j) {
      Scalar sum = c.get(i, j);
      const Scalar* x = rows.data() + static_cast<size_t>(i) * depth;
      const Scalar* y = columns.data() + static_cast<size_t>(j) * depth;
      for (size_t k = 0; k < depth; ++k) {
        if (type.is_float()) {
          sum.f = round_to(type, sum.f + round_to(type, x[k].f * y[k].f));
        } else {
          sum.i = wrap(type, sum.i + x[k].i * y[k].i);
        }
      }
      c.set(i, j, sum);
    }
  }
}

// Outside of what it is taken from a box is zero.
void copy_box(ExternCall& call) {
  const ExternView &to = call.view(0), &from = call.view(1);
  const size_t rank = from.extents().size();
  std::vector<int64_t> first(rank), extents(rank), own(rank), source(rank);
  for (size_t d = 0; d < rank; ++d) {
    first[d] = call.integer(2 + 2 * d);
    extents[d] = call.integer(3 + 2 * d);
  }
  // Both in order of their rows: dimensions of one element count for nothing.
  const auto next = [](std::vector<int64_t>& at, const std::vector<int64_t>& ends) {
    for (size_t d = at.size(); d-- > 0;) {
      if (++at[d] < ends[d]) return true;
      at[d] = 0;
    }
    return false;
  };
  std::vector<int64_t> target(to.extents().size());
  do {
    bool inside = true;
    for (size_t d = 0; d < rank; ++d) {
      source[d] = first[d] + own[d];
      inside = inside && source[d] >= 0 && source[d] < from.extents()[d];
    }
    to.set(target, inside ? from.get(source) : convert(kInt32, to.dtype(), {.i = 0}));
    next(target, to.extents());
  } while (next(own, extents));
}

}  // namespace

schedule::Externs externs() {
  const auto nothing = [](ExternCall&) {};
  return {{std::string(kLoadTileA), copy_tile},
          {std::string(kLoadTileB), copy_tile},
          {std::string(kLoadTileATransposed), copy_tile},
          {std::string(kLoadTileBTransposed), copy_tile},
          {std::string(kFillTile), fill_tile},
          {std::string(kMultiplyTiles), multiply_tiles},
          {std::string(kStoreTile), copy_tile},
          {std::string(kCopyBox), copy_box},
          {std::string(kCommitCopies), nothing},
          {std::string(kWaitCopies), nothing},
          {std::string(kBeginProducts), nothing},
          {std::string(kCommitProducts), nothing},
          {std::string(kWaitProducts), nothing},
          {std::string(kBeginArrivals), nothing},
          {std::string(kAwaitArrival), nothing},
          {std::string(kEndArrivals), nothing}};
}

}  // namespace vantage::cuda
