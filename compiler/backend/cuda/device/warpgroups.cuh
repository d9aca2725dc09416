// What kernels use whose warpgroups multiply what lies in shared memory, and whose tensors the copy engine brings
// there: capability 9.0 with its own instructions (sm_90a). Those who run kernels on a processor bring all of this
// themselves.
#pragma once

#ifdef __CUDA_ARCH__

namespace vt {

VT_DEVICE unsigned shared_address(const void* address) {
  return static_cast<unsigned>(__cvta_generic_to_shared(address));
}

// --- Copies of boxes of tensors, which one thread begins and all wait for.

// As cuTensorMapEncodeTiled makes it.
struct alignas(64) tensor_map {
  unsigned long long words[16];
};

// Places of a pipeline, each of which is filled by so many copies and then awaited by every thread, in turn. All
// threads of the block begin and end together.
template <int places>
class arrivals {
 public:
  VT_DEVICE arrivals(unsigned long long* memory, int copies) : memory_(memory) {
    static_assert(places <= 32);
    if (is_first()) {
#pragma unroll
      for (int i = 0; i < places; ++i) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(i)), "r"(copies) : "memory");
      }
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
  }
  // One thread's. `at`: where the box begins, first in the dimension whose elements lie side by side.
  template <int bytes, typename... At>
  VT_DEVICE void copy(void* to, const tensor_map& map, int place, At... at) {
    const unsigned arrived = address(place), target = shared_address(to);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(arrived), "n"(bytes) : "memory");
    copy_box(target, &map, arrived, int(at)...);
  }
  VT_DEVICE void await(int place) {
    const unsigned arrived = address(place), phase = phases_ >> place & 1U;
    phases_ ^= 1U << place;
    unsigned done;
    do {
      asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}"
                   : "=r"(done)
                   : "r"(arrived), "r"(phase)
                   : "memory");
    } while (done == 0);
  }
  VT_DEVICE void end() {
    __syncthreads();
    if (!is_first()) return;
#pragma unroll
    for (int i = 0; i < places; ++i) {
      asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(address(i)) : "memory");
    }
  }

 private:
  static VT_DEVICE bool is_first() {
    return threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0;
  }
  VT_DEVICE unsigned address(int place) const {
    return shared_address(memory_ + place);
  }

#define VT_COPY_BOX(rank, coordinates)                                                                               \
  "cp.async.bulk.tensor." rank "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" coordinates \
  "}], [%2];"
  static VT_DEVICE void copy_box(unsigned to, const tensor_map* map, unsigned arrived, int a, int b) {
    asm volatile(VT_COPY_BOX("2", "%3, %4")::"r"(to), "l"(map), "r"(arrived), "r"(a), "r"(b) : "memory");
  }
  static VT_DEVICE void copy_box(unsigned to, const tensor_map* map, unsigned arrived, int a, int b, int c) {
    asm volatile(VT_COPY_BOX("3", "%3, %4, %5")::"r"(to), "l"(map), "r"(arrived), "r"(a), "r"(b), "r"(c) : "memory");
  }
  static VT_DEVICE void copy_box(unsigned to, const tensor_map* map, unsigned arrived, int a, int b, int c, int d) {
    asm volatile(VT_COPY_BOX("4", "%3, %4, %5, %6")::"r"(to), "l"(map), "r"(arrived), "r"(a), "r"(b), "r"(c), "r"(d)
                 : "memory");
  }
  static VT_DEVICE void copy_box(unsigned to, const tensor_map* map, unsigned arrived, int a, int b, int c, int d,
                                 int e) {
    asm volatile(VT_COPY_BOX("5", "%3, %4, %5, %6, %7")::"r"(to), "l"(map), "r"(arrived), "r"(a), "r"(b), "r"(c),
                 "r"(d), "r"(e)
                 : "memory");
  }
#undef VT_COPY_BOX

  unsigned long long* const memory_;
  unsigned phases_ = 0;  // of each place, whether the next copies to come are its odd ones
};

// --- Products of what lies in shared memory, whose rows are swizzled by 128 bytes. All 128 threads of a warpgroup come
// here together.

// A side of a product. `column_bytes`: from a column of 128 bytes to the next, eight rows being one behind the other.
template <typename T>
struct matrix {
  unsigned long long bits;
  VT_DEVICE matrix(const T* first, int column_bytes)
      : bits((shared_address(first) & 0x3ffffULL) >> 4 | (unsigned long long)(column_bytes >> 4) << 16 |
             (1024ULL >> 4) << 32 | 1ULL << 62) {}
};

// Adds to 64 x n sums a product of 32 bytes' depth, beside the threads. The source says what each is.
template <int n, bool a_transposed, bool b_transposed>
VT_DEVICE void multiply_group(float* sums, matrix<half> a, matrix<half> b);
template <int n, bool a_transposed, bool b_transposed>
VT_DEVICE void multiply_group(float* sums, matrix<bfloat16> a, matrix<bfloat16> b);
template <int n, bool a_transposed, bool b_transposed>
VT_DEVICE void multiply_group(int* sums, matrix<signed char> a, matrix<signed char> b);

// Whatever else touched the sums' registers is done before products do.
VT_DEVICE void begin_products() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
VT_DEVICE void commit_products() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int groups>
VT_DEVICE void wait_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(groups) : "memory");
}

// `side_by_side`: of the two results that a thread has next to each other, and stores at once where it is 2.
template <int n, int side_by_side, typename To, typename From>
VT_DEVICE void store_group(To* rows, long long stride, const From* tile) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  To* const first = rows + (warp * 16 + lane / 4) * stride + lane % 4 * 2;
#pragma unroll
  for (int i = 0; i < n / 8; ++i) {
#pragma unroll
    for (int half_rows = 0; half_rows < 2; ++half_rows) {
      To* const to = first + half_rows * 8 * stride + i * 8;
      const From* const from = tile + i * 4 + half_rows * 2;
      if constexpr (side_by_side == 2) {
        store(to, lanes<To, 2>{{To(from[0]), To(from[1])}});
      } else {
        to[0] = To(from[0]);
        to[1] = To(from[1]);
      }
    }
  }
}

}  // namespace vt

#endif
