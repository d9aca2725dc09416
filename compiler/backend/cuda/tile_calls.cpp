// What a warp does on its tiles: calls that all of its threads make together, each with its own part of the registers.
#include <algorithm>

#include "base/error.h"
#include "compiler/backend/cuda/stmt_writer.h"
#include "compiler/backend/cuda/tensor_cores.h"
#include "compiler/backend/cuda/tile_shapes.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/thread_axes.h"

namespace vantage::cuda {

using namespace ir;

namespace {

// The bytes that a row of a tile in shared memory is loaded by, at addresses that are multiples of them.
constexpr int64_t kRowBytes = 16;

const View& box_of(const Call& call, size_t i) {
  return *call.arguments[i].as<View>();
}

int64_t extent_from_end(const View& view, size_t from_end) {
  return *as_int(view.box[view.box.size() - from_end].extent);
}

// So many of a tile's elements each thread has.
int64_t part_of(const View& tile) {
  return extent_from_end(tile, 2) * extent_from_end(tile, 1) / threads_together(tile.buffer->scope);
}

std::string text_of(const View& view) {
  return to_text(BufferRegion{view.buffer, view.box});
}

}  // namespace

void StmtWriter::require_multiple(const Expr& value, int64_t of, const View& view) {
  if (thread_x_.defined() && uses_var(value, thread_x_)) {
    fail(
        "{} differs among the threads of a warp, which do it once; bind loops over warps to threadIdx.y or .z, and "
        "only what fetches to threadIdx.x",
        text_of(view));
  }
  if (is_int(analyzer_.simplify(floor_mod(value, make_int(value.dtype(), of))), 0)) return;
  fail(
      "{} is no tile that a warp can take: {} is not known to be a multiple of {}; let tiles begin at multiples of "
      "their "
      "sides, and rows of shared memory be multiples of 16 bytes (storage_align)",
      text_of(view), to_text(value), of);
}

// "&A_warp[8 * i]": a thread's part of a tile. The parts of a buffer's tiles lie one behind the other.
std::string StmtWriter::tile(const View& view) {
  const Buffer& buffer = view.buffer;
  const size_t rank = buffer->rank();
  Expr number = make_zero(kIndex);
  for (size_t d = 0; d < rank; ++d) {
    const int64_t side = d + 2 < rank ? 1 : extent_from_end(view, rank - d);
    require_multiple(buffer->shape[d], side, view);
    require_multiple(view.box[d].min, side, view);
    const auto tiles = [&](const Expr& elements) { return floor_div(cast(kIndex, elements), make_int(kIndex, side)); };
    number = number * tiles(buffer->shape[d]) + tiles(view.box[d].min);
  }
  return fmt::format("&{}[{}]", names_.of(buffer), expr_.index(analyzer_.simplify(number * part_of(view))));
}

// "&A_shared[...], 72": where a tile is in memory, and how far its rows are from each other.
std::string StmtWriter::rows(const View& view, bool aligned) {
  const Buffer& buffer = view.buffer;
  std::vector<Expr> first;
  for (const Range& range : view.box) first.push_back(range.min);
  const Expr offset = expr_.offset(buffer, first);
  require_multiple(offset, 1, view);
  const std::vector<Expr> strides = buffer->all_strides();
  const Expr stride = analyzer_.simplify(strides[strides.size() - 2]);
  if (!is_int(analyzer_.simplify(strides.back()), 1)) {
    fail("{}: the elements of a tile's row lie side by side, and these are {} apart", text_of(view),
         to_text(strides.back()));
  }
  if (aligned) {
    const int64_t elements = kRowBytes / buffer->dtype.bytes();
    require_multiple(offset, elements, view);
    require_multiple(stride, elements, view);
    expr_.note({buffer, offset, elements, fmt::format("{}[{}]", names_.of(buffer), expr_.index(offset)),
                as_int(stride) == nullptr ? std::nullopt : std::optional(*as_int(stride))});
  }
  return fmt::format("&{}[{}], {}", names_.of(buffer), expr_.index(offset), expr_.index(stride));
}

// Whether two elements of a row that are stored at once lie at a multiple of their size.
bool StmtWriter::begins_even(const View& view) {
  std::vector<Expr> first;
  for (const Range& range : view.box) first.push_back(range.min);
  const std::vector<Expr> strides = view.buffer->all_strides();
  const auto is_even = [&](const Expr& value) {
    return is_int(analyzer_.simplify(floor_mod(value, make_int(value.dtype(), 2))), 0);
  };
  return is_even(expr_.offset(view.buffer, first)) && is_even(strides[strides.size() - 2]);
}

// A product takes its sides' registers as they were loaded for it.
void StmtWriter::require_loaded(const View& side, std::string_view by) {
  const auto known = loaded_by_.find(side.buffer.get());
  if (known != loaded_by_.end() && known->second == by) return;
  fail("{} is multiplied as a tile that {} brings, but {}; take the load_a and load_b of the same product",
       text_of(side), by, known == loaded_by_.end() ? "nothing was loaded there" : known->second + " brought it");
}

void StmtWriter::tile_call(const Call& call) {
  if (!by_warp_) {
    fail(
        "{} stands inside of a loop that is bound to threadIdx.x; a warp does it once, and loops over warps are bound "
        "to threadIdx.y or .z",
        call.function);
  }
  if (differs_) {
    fail(
        "{} stands under a condition or in a loop that differs among the threads of a warp, which do it together; move "
        "it out of that",
        call.function);
  }
  require_tiles(call);
  const View& first = box_of(call, 0);
  if (call.function == kFillTile) return line(fmt::format("vt::fill_tile<{}>({});", part_of(first), tile(first)));
  if (call.function == kMultiplyTiles && first.buffer->scope == kWarpgroupScope) return group_product(call);
  if (call.function == kMultiplyTiles) {
    multiplied.insert(box_of(call, 1).buffer->dtype);
    const bool a_transposed = is_int(call.arguments[3], 1), b_transposed = is_int(call.arguments[4], 1);
    require_loaded(box_of(call, 1), a_transposed ? kLoadTileATransposed : kLoadTileA);
    require_loaded(box_of(call, 2), b_transposed ? kLoadTileBTransposed : kLoadTileB);
    return line(
        fmt::format("vt::multiply_tiles({}, {}, {});", tile(first), tile(box_of(call, 1)), tile(box_of(call, 2))));
  }
  if (call.function == kStoreTile) {
    const View& sums = box_of(call, 1);
    std::string name = "store_tile";
    if (sums.buffer->scope == kWarpgroupScope) {
      name = fmt::format("store_group<{}, {}>", extent_from_end(sums, 1), begins_even(first) ? 2 : 1);
    }
    return line(fmt::format("vt::{}({}, {});", name, rows(first, false), tile(sums)));
  }
  const auto [known, is_new] = loaded_by_.emplace(first.buffer.get(), call.function);
  if (!is_new && known->second != call.function) {
    fail("{} has tiles that {} and {} brought; let each kind have a buffer of its own", first.buffer->name,
         known->second, call.function);
  }
  const std::string name = call.function.substr(call.function.find('.') + 1);
  line(fmt::format("vt::{}({}, {});", name, tile(first), rows(box_of(call, 1), true)));
}

}  // namespace vantage::cuda
