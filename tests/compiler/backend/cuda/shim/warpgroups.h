// What warpgroups and the copy engine do, on a processor: each thing as late as it may happen, when a thread waits for
// it. Where elements lie in swizzled memory, and which thread has which sums, is as NVIDIA's PTX ISA 9.0 shows it
// ("Swizzling Modes", "Register Fragments and Shared Memory Matrix Layouts" of wgmma), written down apart from the
// instructions that the kernels use.
#pragma once

#include <deque>
#include <map>

#include "tests/compiler/backend/cuda/shim/cuda_on_processor.h"
#include "tests/compiler/backend/cuda/shim/tensor_map.h"

#define __grid_constant__

namespace shim {

// 128-byte swizzling: bits 4 to 6 of an address are taken with bits 7 to 9.
inline char* swizzled(const void* address) {
  const auto bits = reinterpret_cast<uintptr_t>(address);
  return reinterpret_cast<char*>(bits ^ (bits >> 7 & 7U) << 4);
}

struct BoxCopy {
  char* to;
  TensorMap map;
  std::vector<int64_t> first;

  void make() const {
    int64_t count = 1;
    for (uint32_t d = 0; d < map.rank; ++d) count *= map.box[d];
    for (int64_t i = 0; i < count; ++i) {
      int64_t rest = i, from = 0;
      bool inside = true;
      for (uint32_t d = 0; d < map.rank; ++d) {
        const int64_t index = first[d] + rest % map.box[d];
        rest /= map.box[d];
        inside = inside && index >= 0 && index < static_cast<int64_t>(map.sizes[d]);
        from += index * static_cast<int64_t>(map.strides[d]);
      }
      char* const target = swizzled(to + i * map.element_bytes);
      if (inside) {
        std::memcpy(target, static_cast<const char*>(map.address) + from, map.element_bytes);
      } else {
        std::memset(target, 0, map.element_bytes);
      }
    }
  }
};

// Of one place: the copies that fill it, each time.
struct Place {
  std::vector<std::vector<BoxCopy>> fills;
  size_t made = 0;  // fills that have arrived
};
inline std::map<const void*, std::vector<Place>>& pipelines() {
  static std::map<const void*, std::vector<Place>> all;
  return all;
}

// Of each thread, groups of products that are under way and, last, the one that is not committed yet.
inline std::deque<std::vector<std::function<void()>>>& own_products() {
  static std::vector<std::deque<std::vector<std::function<void()>>>> all;
  if (all.size() < threads.size()) all.resize(threads.size());
  if (all[running].empty()) all[running].emplace_back();
  return all[running];
}

inline bool is_first() {
  return running == 0;
}

}  // namespace shim

namespace vt {

using shim::TensorMap;
using tensor_map = TensorMap;

template <int places>
class arrivals {
 public:
  arrivals(unsigned long long* memory, int copies) : memory_(memory), copies_(static_cast<size_t>(copies)) {
    __syncthreads();
    if (shim::is_first()) shim::pipelines()[memory_].assign(places, {});
    __syncthreads();
  }
  template <int bytes, typename T, typename... At>
  void copy(T* to, const tensor_map& map, int place, At... at) {
    shim::Place& own = shim::pipelines().at(memory_).at(place);
    if (own.fills.empty() || own.fills.back().size() == copies_) own.fills.emplace_back();
    own.fills.back().push_back({reinterpret_cast<char*>(to), map, {int64_t(at)...}});
    ++shim::steps;
  }
  void await(int place) {
    shim::Place& own = shim::pipelines().at(memory_).at(place);
    const size_t wanted = ++awaited_[place];
    while (own.fills.size() < wanted || own.fills[wanted - 1].size() < copies_) {
      shim::wait_for(shim::Wait::kArrival);
    }
    for (; own.made < wanted; ++own.made) {
      for (const shim::BoxCopy& copy : own.fills[own.made]) copy.make();
    }
  }
  void end() {
    __syncthreads();
    if (shim::is_first()) shim::pipelines().erase(memory_);
    __syncthreads();
  }

 private:
  const void* memory_;
  size_t copies_;
  size_t awaited_[places] = {};
};

template <typename T>
struct matrix {
  const char* first;
  int column_bytes;
  matrix(const T* address, int distance) : first(reinterpret_cast<const char*>(address)), column_bytes(distance) {}

  // Rows of 128 bytes along the depth: element `deep` of row number `line`.
  T along_depth(int line, int deep) const { return element(line * 128 + deep * int(sizeof(T))); }
  // Rows of the depth, in columns of 128 bytes.
  T across(int line, int deep) const {
    constexpr int of_column = 128 / sizeof(T);
    return element(line / of_column * column_bytes + deep * 128 + line % of_column * int(sizeof(T)));
  }

 private:
  T element(int offset) const {
    T value;
    std::memcpy(&value, shim::swizzled(first + offset), sizeof value);
    return value;
  }
};

// A warp of the four has 16 rows; of these and of each 8 columns a thread has two neighbours in two rows.
inline int group_row(int i) {
  return threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 % 2 * 8;
}
inline int group_column(int i) {
  return i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2;
}

template <int n, bool a_transposed, bool b_transposed, typename Sum, typename T>
void multiply_group(Sum* sums, matrix<T> a, matrix<T> b) {
  constexpr int depth = 32 / sizeof(T);
  shim::own_products().back().push_back([sums, a, b] {
    for (int i = 0; i < n / 2; ++i) {
      const int row = group_row(i), column = group_column(i);
      for (int k = 0; k < depth; ++k) {
        const T x = a_transposed ? a.across(row, k) : a.along_depth(row, k);
        const T y = b_transposed ? b.along_depth(column, k) : b.across(column, k);
        sums[i] += Sum(x) * Sum(y);
      }
    }
  });
}
inline void begin_products() {}
inline void commit_products() {
  shim::own_products().emplace_back();
}
template <int groups>
void wait_products() {
  auto& own = shim::own_products();
  while (own.size() > groups + 1) {
    for (const auto& product : own.front()) product();
    own.pop_front();
  }
}

template <int n, int side_by_side, typename To, typename From>
void store_group(To* rows, long long stride, const From* tile) {
  for (int i = 0; i < n / 2; ++i) rows[group_row(i) * stride + group_column(i)] = To(tile[i]);
}

}  // namespace vt
