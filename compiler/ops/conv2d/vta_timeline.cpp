#include "compiler/ops/conv2d/vta_timeline.h"

#include <algorithm>
#include <vector>

#include "base/math.h"
#include "compiler/ops/conv2d/vta_tiles.h"
#include "hw/isa/timing.h"

namespace vantage::ops {

using isa::Memory;

namespace {

constexpr int64_t kTransfer = isa::timing::kTransferOverhead;
constexpr int64_t kCompute = isa::timing::kGemmEnd;  // behind the last step of an instruction, until others see it
constexpr int64_t kFirstStep = isa::timing::kVectorFirstStep;

// A tile by its place in every dimension.
struct Tile {
  int64_t n, oc, h, w;
};

Tile tile_at(const TiledLayer& layer, const VtaConv2dTiling& t, int64_t index) {
  Tile tile{};
  const auto take = [&](int64_t& place, const Cut& cut) {
    place = index % cut.count();
    index /= cut.count();
  };
  if (!t.channels_outside) take(tile.oc, layer.oc);
  take(tile.w, layer.w);
  take(tile.h, layer.h);
  take(tile.n, layer.n);
  if (t.channels_outside) take(tile.oc, layer.oc);
  return tile;
}

class Timeline {
 public:
  Timeline(const Conv2dShape& shape, const Epilogue& epilogue, const VtaConv2dTiling& tiling, const isa::Config& config,
           const TransferCost& memory)
      : layer_(shape, VtaConv2dPart{.tiling = tiling}, config),
        epilogue_(epilogue),
        t_(tiling),
        inp_bytes_(bytes(config, Memory::kInp)),
        wgt_bytes_(bytes(config, Memory::kWgt)),
        out_bytes_(bytes(config, Memory::kOut)),
        acc_bytes_(bytes(config, Memory::kAcc)),
        memory_(memory),
        bus_free_(memory.start),
        issued_(memory.start + memory.small_load) {
    input_loaded_.assign(static_cast<size_t>(layer_.n.size * input_pieces()), 0);
    weights_loaded_.assign(static_cast<size_t>(layer_.oc.count() * layer_.ic.count()), 0);
    last_use_of_.assign(static_cast<size_t>(layer_.ic.count()), 0);
    for (int64_t i = 0; i < layer_.h.count(); ++i) pixels_down_.push_back(layer_.pixels_down(i));
    for (int64_t i = 0; i < layer_.w.count(); ++i) pixels_across_.push_back(layer_.pixels_across(i));
    threads_.resize(static_cast<size_t>(tiling.threads));
    for (Thread& thread : threads_) thread.accumulators_free.resize(static_cast<size_t>(tiling.sum_places));
  }

  std::optional<int64_t> run(int64_t limit) {
    const int64_t groups = t_.weights_shared ? layer_.oc.count() : 1, tiles = layer_.tiles() / groups;
    for (int64_t group = 0; group < groups; ++group) {
      if (!run_group(group * tiles, tiles, limit)) return std::nullopt;
    }
    return std::max(retired_, stored_) + kTransfer;
  }

 private:
  // What scratchpads hold, by its place in each dimension.
  struct Pixels {
    int64_t n = -1, h = -1, w = -1, piece = -1;
    bool operator==(const Pixels&) const = default;
  };
  struct Weights {
    int64_t oc = -1, chunk = -1;
    bool operator==(const Weights&) const = default;
  };
  struct Thread {
    std::vector<Tile> tiles;
    std::vector<int64_t> accumulators_free{};  // by place, when the tile that was there has been stored
    int64_t gemm_end = 0, gemm_retired = 0, reset_end = 0;
    Pixels input;
    Weights weights;
    int64_t channel = -1;
  };

  static int64_t bytes(const isa::Config& config, Memory memory) {
    return static_cast<int64_t>(config.element_size(memory).count());
  }

  int64_t elements(const Tile& tile) const {
    return layer_.n.extent(tile.n) * layer_.oc.extent(tile.oc) * layer_.h.extent(tile.h) * layer_.w.extent(tile.w);
  }

  // Shares `count` tiles out among the threads, which take turns until all are done. False: it takes too long.
  bool run_group(int64_t first, int64_t count, int64_t limit) {
    const int64_t chunks = layer_.ic.count(), share = ceil_div(count, t_.threads);
    for (Thread& thread : threads_) thread.tiles.clear();
    for (int64_t i = 0; i < count; ++i) {
      const int64_t thread = t_.threads_in_turn ? i % t_.threads : i / share;
      threads_[static_cast<size_t>(thread)].tiles.push_back(tile_at(layer_, t_, first + i));
    }
    for (Thread& thread : threads_) {
      const int64_t vectors = t_.bias_resident ? beats_of_vectors(channels_at_first(thread.tiles)) : 0;
      if (vectors == 0) continue;
      bus_free_ += memory_.cycles(vectors);
      thread.reset_end = std::max(thread.reset_end, bus_free_ + kTransfer);
    }
    const int64_t rounds = share * chunks + 1;
    for (int64_t round = 0; round < rounds; ++round) {
      for (Thread& thread : threads_) turn(thread, round / chunks, round % chunks);
      if (gemm_free_ > limit || store_free_ > limit) return false;
    }
    return true;
  }

  // Channels whose biases a thread loads before its first sums: of all its tiles, or of the first, where the others'
  // come behind it (compiler/backend/vta/finishing/load_vectors_in_pieces.h).
  int64_t channels_at_first(const std::vector<Tile>& tiles) const {
    if (tiles.empty()) return 0;
    const int64_t of_sum = layer_.ic.size * layer_.kernel_h * layer_.kernel_w;
    if (of_sum > first_instructions(epilogue_) + alu_instructions(epilogue_)) return layer_.oc.extent(tiles.front().oc);
    std::vector<bool> is_counted(static_cast<size_t>(layer_.oc.count()));
    int64_t channels = 0;
    for (const Tile& tile : tiles) {
      if (!is_counted[static_cast<size_t>(tile.oc)]) channels += layer_.oc.extent(tile.oc);
      is_counted[static_cast<size_t>(tile.oc)] = true;
    }
    return channels;
  }

  int64_t beats_of_vectors(int64_t channels) const {
    return memory_.beats(channel_vectors(epilogue_) * channels * acc_bytes_);
  }

  // Thread `thread` does what stands between two GEMMs, and the second one.
  void turn(Thread& thread, int64_t tile, int64_t chunk) {
    const auto count = static_cast<int64_t>(thread.tiles.size());
    if (tile > count || (tile == count && chunk > 0)) return;
    if (chunk == 0 && tile > 0) epilogue(thread, tile - 1);
    if (tile == count) return;
    const Tile& now = thread.tiles[static_cast<size_t>(tile)];
    if (chunk == 0) reset(thread, tile);
    const int64_t loaded = std::max(load_input(thread, now, chunk), load_weights(thread, now, chunk));
    const int64_t steps = layer_.n.extent(now.n) * layer_.oc.extent(now.oc) * layer_.ic.extent(chunk) *
                          pixels_down_[static_cast<size_t>(now.h)] * pixels_across_[static_cast<size_t>(now.w)];
    const int64_t start = std::max({issued_, gemm_free_, loaded, thread.reset_end + kCompute});
    issued_ = start;
    gemm_free_ = start + steps;
    thread.gemm_end = gemm_free_;
    retired_ = std::max(retired_, gemm_free_ + kCompute);
    thread.gemm_retired = retired_;
    last_use_of_[static_cast<size_t>(chunk)] = retired_;
  }

  size_t place(int64_t tile) const { return static_cast<size_t>(tile % t_.sum_places); }

  void reset(Thread& thread, int64_t tile) {
    const Tile& now = thread.tiles[static_cast<size_t>(tile)];
    const int64_t steps = elements(now);
    int64_t start = std::max(
        {issued_, vector_free_, thread.accumulators_free[place(tile)], thread.gemm_end + kCompute, thread.reset_end});
    if (channel_vectors(epilogue_) > 0 && !t_.bias_resident && thread.channel != now.oc) {
      thread.channel = now.oc;
      const int64_t loaded = memory_.cycles(beats_of_vectors(layer_.oc.extent(now.oc)));
      start = std::max(start, issued_ + memory_.small_load + loaded);
      bus_free_ += loaded;
    }
    if (epilogue_.starts_from_addend()) start = std::max(start, load_addend(steps, now, start));
    vector_free_ = start + first_instructions(epilogue_) * steps;
    issued_ = vector_free_ - steps;
    thread.reset_end = vector_free_;
    retired_ = std::max(retired_, vector_free_);
  }

  void epilogue(Thread& thread, int64_t tile) {
    const Tile& now = thread.tiles[static_cast<size_t>(tile)];
    const int64_t steps = elements(now);
    const int64_t instructions = alu_instructions(epilogue_);
    int64_t start = std::max({issued_, vector_free_, thread.gemm_end + kCompute});
    if (epilogue_.has_addend && !epilogue_.starts_from_addend())
      start = std::max(start, load_addend(steps, now, issued_));
    vector_free_ = start + kFirstStep + instructions * steps;
    issued_ = vector_free_ - steps;
    retired_ = std::max(retired_, vector_free_ + kCompute);
    store_free_ = std::max(store_free_, retired_ + kTransfer) + store(now);
    stored_ = store_free_ + memory_.store_end;
    thread.accumulators_free[place(tile)] = stored_;
  }

  int64_t store(const Tile& tile) const {
    if (layer_.is_product) {
      const auto stores = layer_.stores(layer_.n.extent(tile.n), layer_.oc.extent(tile.oc));
      return std::max(memory_.store(stores.rows, stores.row * out_bytes_), memory_.stores(stores.instructions));
    }
    const int64_t columns = layer_.w.extent(tile.w);
    return memory_.cycles(memory_.beats(columns * out_bytes_) * elements(tile) / columns);
  }

  // When a load of `rows` rows of so many bytes is done that may begin at `allowed`.
  int64_t load(int64_t rows, int64_t row_bytes, int64_t instructions, int64_t allowed) {
    if (rows == 0 || row_bytes == 0) return 0;
    bus_free_ = std::max(bus_free_, allowed + memory_.latency + kTransfer) +
                std::max(memory_.load(rows, row_bytes), memory_.loads(instructions));
    return bus_free_ + kTransfer;
  }
  // Of a product, rows of a chunk follow each other in the scratchpad, but for those of the last one, if it is shorter.
  int64_t load_chunk(int64_t rows, int64_t chunk, int64_t row_bytes, int64_t allowed) {
    const bool lie_apart = layer_.is_product && layer_.ic.extent(chunk) < layer_.ic.piece;
    return load(rows, row_bytes, lie_apart ? rows : 1, allowed);
  }

  int64_t load_addend(int64_t results, const Tile& tile, int64_t allowed) {
    const int64_t columns = layer_.w.extent(tile.w);
    return load(results / columns, columns * out_bytes_, 1, allowed);
  }

  int64_t load_pixels(int64_t rows, int64_t columns, int64_t allowed) {
    return t_.picks_pixels ? load(rows * columns, inp_bytes_, 1, allowed)
                           : load(rows, columns * inp_bytes_, 1, allowed);
  }

  // Of the input's channels.
  int64_t input_pieces() const { return layer_.channelwise ? layer_.oc.count() : layer_.ic.count(); }

  int64_t load_input(Thread& thread, const Tile& tile, int64_t chunk) {
    const int64_t channels = layer_.channels_loaded(tile.oc, chunk), images = layer_.n.extent(tile.n);
    const int64_t piece = layer_.channelwise ? tile.oc : chunk;
    if (t_.input_resident) {
      int64_t& loaded = input_loaded_[static_cast<size_t>(tile.n * input_pieces() + piece)];
      if (loaded != 0) return loaded;
      if (layer_.is_product) return loaded = load_chunk(images, chunk, channels * inp_bytes_, memory_.start);
      return loaded = load_pixels(images * channels * layer_.height, layer_.width, memory_.start);
    }
    const Pixels wanted{tile.n, tile.h, tile.w, piece};
    if (thread.input == wanted) return 0;
    thread.input = wanted;
    const int64_t allowed = std::max(memory_.start, thread.gemm_retired);
    // A row of one pixel with all its channels is one row of channels.
    if (layer_.is_product) return load_chunk(images, chunk, channels * inp_bytes_, allowed);
    const int64_t rows = images * channels * layer_.rows_inside(tile.h);
    return load_pixels(rows, layer_.columns_inside(tile.w), allowed);
  }

  int64_t load_weights(Thread& thread, const Tile& tile, int64_t chunk) {
    const int64_t kernel = layer_.kernel_h * layer_.kernel_w;
    const int64_t channels = layer_.oc.extent(tile.oc);
    const int64_t row = layer_.ic.extent(chunk) * kernel * wgt_bytes_;
    if (t_.weights_resident || t_.weights_shared) {
      int64_t& loaded = weights_loaded_[static_cast<size_t>(tile.oc * layer_.ic.count() + chunk)];
      // Shared ones take the place of those before.
      const int64_t allowed =
          t_.weights_shared ? std::max(memory_.start, last_use_of_[static_cast<size_t>(chunk)]) : memory_.start;
      if (loaded == 0) loaded = load(channels, row, layer_.is_product && layer_.ic.count() > 1 ? channels : 1, allowed);
      return loaded;
    }
    const Weights wanted{tile.oc, chunk};
    if (thread.weights == wanted) return 0;
    thread.weights = wanted;
    return load_chunk(channels, chunk, row, std::max(memory_.start, thread.gemm_retired));
  }

  TiledLayer layer_;
  Epilogue epilogue_;
  VtaConv2dTiling t_;
  int64_t inp_bytes_, wgt_bytes_, out_bytes_, acc_bytes_;
  TransferCost memory_;
  std::vector<int64_t> pixels_down_, pixels_across_;  // by tile
  std::vector<Thread> threads_;
  // When resident and shared pieces are there; 0: not asked for yet. When a chunk's weights were last used.
  std::vector<int64_t> input_loaded_, weights_loaded_, last_use_of_;
  // When each engine can take its next instruction; when the compute stage issued its last one and retires its next.
  int64_t gemm_free_ = 0, vector_free_ = 0, bus_free_, store_free_ = 0, stored_ = 0;
  int64_t issued_, retired_ = 0;
};

}  // namespace

std::optional<int64_t> estimate_cycles(const Conv2dShape& shape, const Epilogue& epilogue,
                                       const VtaConv2dTiling& tiling, const isa::Config& config,
                                       const TransferCost& memory, int64_t limit) {
  return Timeline(shape, epilogue, tiling, config, memory).run(limit);
}

}  // namespace vantage::ops
