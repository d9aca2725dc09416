// What tensor cores do, on a processor: which thread of a warp has which element of a tile is as NVIDIA's PTX ISA 9.0
// shows it ("Matrix Fragments for mma.m16n8k16", "mma.m16n8k32", and "ldmatrix"), written down apart from the
// instructions that the kernels use.
#pragma once

#include "tests/compiler/backend/cuda/shim/cuda_on_processor.h"

namespace vt {

// A register holds 4 bytes: `per` elements that lie side by side in the depth. Columns of the left side, of 16 rows,
// are those of the depth: registers 0 and 1 have the upper and the lower 8 rows of its first half, 2 and 3 of the
// other.
template <typename T>
struct left {
  static constexpr int per = 4 / sizeof(T), depth = 8 * per;
  static int row(int lane, int i) { return lane / 4 + i / per % 2 * 8; }
  static int column(int lane, int i) { return lane % 4 * per + i % per + i / (2 * per) * (depth / 2); }
};
// The right side has 8 columns; registers 0 and 1 have the halves of its depth.
template <typename T>
struct right {
  static constexpr int per = 4 / sizeof(T), depth = 8 * per;
  static int deep(int lane, int i) { return lane % 4 * per + i % per + i / per * (depth / 2); }
  static int column(int lane, int) { return lane / 4; }
};
struct sums_of {
  static int row(int lane, int i) { return lane / 4 + i / 2 * 8; }
  static int column(int lane, int i) { return lane % 4 * 2 + i % 2; }
};

template <typename T>
void load_tile_a(T* tile, const T* rows, long long stride) {
  for (int i = 0; i < int(16 / sizeof(T)); ++i) {
    tile[i] = rows[left<T>::row(shim::lane(), i) * stride + left<T>::column(shim::lane(), i)];
  }
}
template <typename T>
void load_tile_a_transposed(T* tile, const T* rows, long long stride) {
  for (int i = 0; i < int(16 / sizeof(T)); ++i) {
    tile[i] = rows[left<T>::column(shim::lane(), i) * stride + left<T>::row(shim::lane(), i)];
  }
}
template <typename T>
void load_tile_b(T* tile, const T* rows, long long stride) {
  for (int i = 0; i < int(8 / sizeof(T)); ++i) {
    tile[i] = rows[right<T>::deep(shim::lane(), i) * stride + right<T>::column(shim::lane(), i)];
  }
}
template <typename T>
void load_tile_b_transposed(T* tile, const T* rows, long long stride) {
  for (int i = 0; i < int(8 / sizeof(T)); ++i) {
    tile[i] = rows[right<T>::column(shim::lane(), i) * stride + right<T>::deep(shim::lane(), i)];
  }
}

template <typename T, typename Sum>
void multiply_tiles(Sum* sums, const T* a, const T* b) {
  struct Parts {
    const T *a, *b;
  } mine{a, b};
  const void* const* brought = shim::meet(&mine);
  Sum left_side[16][left<T>::depth], right_side[left<T>::depth][8];
  for (int lane = 0; lane < 32; ++lane) {
    const auto& parts = *static_cast<const Parts*>(brought[lane]);
    for (int i = 0; i < int(16 / sizeof(T)); ++i) {
      left_side[left<T>::row(lane, i)][left<T>::column(lane, i)] = Sum(parts.a[i]);
    }
    for (int i = 0; i < int(8 / sizeof(T)); ++i) {
      right_side[right<T>::deep(lane, i)][right<T>::column(lane, i)] = Sum(parts.b[i]);
    }
  }
  for (int i = 0; i < 4; ++i) {
    const int row = sums_of::row(shim::lane(), i), column = sums_of::column(shim::lane(), i);
    for (int k = 0; k < left<T>::depth; ++k) sums[i] += left_side[row][k] * right_side[k][column];
  }
  shim::meet(&mine);  // all have read what this thread brought
}

template <typename To, typename From>
void store_tile(To* rows, long long stride, const From* tile) {
  for (int i = 0; i < 4; ++i) {
    rows[sums_of::row(shim::lane(), i) * stride + sums_of::column(shim::lane(), i)] = To(tile[i]);
  }
}

}  // namespace vt
