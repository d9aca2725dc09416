#include "compiler/ops/conv2d/vta_neighbours.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/math.h"
#include "compiler/ops/conv2d/vta_fit.h"
#include "compiler/ops/conv2d/vta_tiles.h"

namespace vantage::ops {

namespace {

using Tiling = VtaConv2dTiling;
using Part = VtaConv2dPart;

constexpr size_t kMostSearched = 4;
constexpr int kMostTriedPlaces = 8;

struct TileSide {
  int64_t Tiling::*tile;
  int64_t TilingRequest::*wanted;
  int64_t size;  // of the part
};

// Dimensions that parts are cut along.
struct CutDimension {
  Span Part::*span;
  int64_t Tiling::*tile;
  int64_t size;  // of the layer
};

class Neighbours {
 public:
  Neighbours(const VtaConv2dMapping& mapping, const LayerOnCore& layer, const TilingRequest& request)
      : mapping_(mapping),
        layer_(layer),
        request_(request),
        dimensions_{CutDimension{&Part::oc, &Tiling::oc, ceil_div(layer.shape.out_channels, layer.config.block_out())},
                    CutDimension{&Part::h, &Tiling::h, layer.shape.out_height()},
                    CutDimension{&Part::n, &Tiling::n, ceil_div(layer.shape.batch, layer.config.batch())}} {}

  std::vector<VtaConv2dMapping> all() {
    const size_t parts = mapping_.parts.size();
    places();
    for (size_t i = 0; i < parts; ++i) sides(i);
    choices();
    if (request_.is_open()) {
      for (size_t i = 0; i < parts && parts < kMostSearched; ++i) cuts(i);
      for (size_t i = 0; i + 1 < parts; ++i) borders(i);
    }
    return std::move(result_);
  }

 private:
  void add(VtaConv2dMapping mapping) {
    for (Part& part : mapping.parts) {
      Tiling& t = part.tiling;
      for (const CutDimension& d : dimensions_) t.*d.tile = std::min(t.*d.tile, (part.*d.span).extent(d.size));
      if (t.threads < 2) t.threads_in_turn = t.staggered = t.weights_shared = false;
      if (t.input_resident && t.weights_resident) t.chunk_places = 1;
      if (t.weights_resident || !t.channels_outside) t.weights_shared = false;
      if (t.picks_pixels && !layer_.shape.skips_pixels()) return;
    }
    const bool is_new = !(mapping == mapping_) && fits(layer_.shape, layer_.epilogue, mapping, layer_.config);
    if (is_new) result_.push_back(std::move(mapping));
  }

  void add_with(size_t i, const Part& part) {
    VtaConv2dMapping mapping = mapping_;
    mapping.parts[i] = part;
    add(std::move(mapping));
  }

  void add_two(size_t i, const Part& first, const Part& last) {
    VtaConv2dMapping mapping = mapping_;
    mapping.parts[i] = first;
    mapping.parts.insert(mapping.parts.begin() + static_cast<ptrdiff_t>(i) + 1, last);
    add(std::move(mapping));
  }

  // The same change in all parts.
  template <typename Change>
  void with(const Change& change) {
    VtaConv2dMapping mapping = mapping_;
    for (Part& part : mapping.parts) change(part.tiling);
    add(std::move(mapping));
  }

  void places() {
    for (int Tiling::*places : {&Tiling::chunk_places, &Tiling::sum_places}) {
      const int now = mapping_.parts.front().tiling.*places;
      for (const int count : {now * 2, now / 2}) {
        if (count >= 1 && count <= kMostTriedPlaces) with([&](Tiling& t) { t.*places = count; });
      }
    }
  }

  void choices() {
    const Tiling& now = mapping_.parts.front().tiling;
    for (bool Tiling::*choice :
         {&Tiling::staggered, &Tiling::threads_in_turn, &Tiling::channels_outside, &Tiling::weights_resident,
          &Tiling::input_resident, &Tiling::weights_shared, &Tiling::picks_pixels}) {
      with([&](Tiling& t) { t.*choice = !(now.*choice); });
    }
    with([&](Tiling& t) {
      t.staggered = true;
      t.chunk_places = 2;
    });
    for (int threads : {2, 1, 4}) {
      if (request_.threads == 0) with([&](Tiling& t) { t.threads = threads; });
    }
  }

  std::vector<TileSide> sides_of(const Part& part) const {
    std::vector<TileSide> all = {
        {&Tiling::ic, &TilingRequest::ic, depth_in_tiles(layer_.shape, layer_.config)},
        {&Tiling::oc, &TilingRequest::oc, part.oc.extent(dimensions_[0].size)},
        {&Tiling::h, &TilingRequest::h, part.h.extent(dimensions_[1].size)},
        {&Tiling::n, &TilingRequest::n, part.n.extent(dimensions_[2].size)},
        {&Tiling::w, &TilingRequest::w, layer_.shape.out_width()},
    };
    std::erase_if(all, [&](const TileSide& side) { return request_.*side.wanted != 0 || side.size == 1; });
    return all;
  }

  void sides(size_t i) {
    for (const TileSide& side : sides_of(mapping_.parts[i])) {
      // Sizes that cut the side into pieces that are nearly equal: a few less and a few more than now, and all.
      const int64_t count = ceil_div(side.size, std::min(mapping_.parts[i].tiling.*side.tile, side.size));
      std::set<int64_t> sizes;
      for (const int64_t pieces : {count + 1, count - 1, 2 * count, count / 2, int64_t{1}}) {
        if (pieces >= 1 && pieces <= side.size) sizes.insert(ceil_div(side.size, pieces));
      }
      for (const int64_t size : sizes) {
        Part part = mapping_.parts[i];
        part.tiling.*side.tile = size;
        add_with(i, part);
      }
    }
  }

  // The part in two, of which the first or the last is small and in smaller tiles.
  void cuts(size_t i) {
    const Part& whole = mapping_.parts[i];
    for (const CutDimension& d : dimensions_) {
      const int64_t begin = (whole.*d.span).begin, extent = (whole.*d.span).extent(d.size);
      const int64_t tile = std::min(whole.tiling.*d.tile, extent);
      // A first tile of every thread that is larger than the others: while all of the input comes in, more is done with
      // each part of it.
      for (const int64_t factor : {2, 3, 4}) {
        const int64_t length = whole.tiling.threads * factor * tile;
        if (length >= extent) break;
        Part first = whole, last = whole;
        (first.*d.span).end = (last.*d.span).begin = begin + length;
        (first.*d.span).begin = begin;
        (last.*d.span).end = begin + extent;
        first.tiling.*d.tile = factor * tile;
        add_two(i, first, last);
      }
      std::set<int64_t> lengths = {ceil_div(tile, int64_t{2}), tile, 2 * tile};
      for (const int64_t length : lengths) {
        if (length >= extent) continue;
        for (const bool at_end : {true, false}) {
          Part first = whole, last = whole;
          const int64_t border = at_end ? begin + extent - length : begin + length;
          first.*d.span = {begin, border};
          last.*d.span = {border, begin + extent};
          for (const int64_t divisor : {2, 4, 1}) {
            Part& small = at_end ? last : first;
            small.tiling.*d.tile = ceil_div(std::min(tile, length), divisor);
            add_two(i, first, last);
          }
        }
      }
    }
  }

  void borders(size_t i) {
    const Part &first = mapping_.parts[i], &last = mapping_.parts[i + 1];
    for (const CutDimension& d : dimensions_) {
      if ((first.*d.span).end != (last.*d.span).begin || !is_same_beside(d, first, last)) continue;
      const int64_t step = std::max<int64_t>(1, std::min(first.tiling.*d.tile, last.tiling.*d.tile));
      for (const int64_t by : {-step, step}) {
        const int64_t border = (first.*d.span).end + by;
        if (border <= (first.*d.span).begin || border >= (last.*d.span).begin + (last.*d.span).extent(d.size)) continue;
        VtaConv2dMapping mapping = mapping_;
        (mapping.parts[i].*d.span).end = (mapping.parts[i + 1].*d.span).begin = border;
        add(std::move(mapping));
      }
    }
  }

  // Whether two parts cover the same of all other dimensions: only then are they one box that is cut in two.
  bool is_same_beside(const CutDimension& cut, const Part& a, const Part& b) const {
    return std::all_of(dimensions_.begin(), dimensions_.end(), [&](const CutDimension& d) {
      const Span &x = a.*d.span, &y = b.*d.span;
      return d.span == cut.span || (x.begin == y.begin && x.extent(d.size) == y.extent(d.size));
    });
  }

  const VtaConv2dMapping& mapping_;
  const LayerOnCore& layer_;
  const TilingRequest& request_;
  const std::array<CutDimension, 3> dimensions_;
  std::vector<VtaConv2dMapping> result_;
};

}  // namespace

std::vector<VtaConv2dMapping> neighbours(const VtaConv2dMapping& mapping, const LayerOnCore& layer,
                                         const TilingRequest& request) {
  return Neighbours(mapping, layer, request).all();
}

}  // namespace vantage::ops
