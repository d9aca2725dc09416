// Tensor cores: tiles that a warp holds, of which each thread has a part. All threads of the warp come here together.
// The sizes are those of the PTX instructions ldmatrix and mma: 16 x 16 elements of 16 bits or 16 x 32 of 8 of the left
// side, 16 x 8 or 32 x 8 of the right one, and sums of 16 x 8. Those who run kernels on a processor bring functions of
// their own.
#pragma once

namespace vt {

template <int part, typename T>
VT_DEVICE void fill_tile(T* tile) {
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int i = 0; i < part; ++i) tile[i] = T(0);
}

#ifdef __CUDA_ARCH__
// Four matrices of 8 rows of 16 bytes, the upper left one, the one below, and those to the right of both; `row` is the
// address of this thread's.
VT_DEVICE void load_four(unsigned* registers, const void* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(registers[0]), "=r"(registers[1]), "=r"(registers[2]), "=r"(registers[3])
               : "r"(address)
               : "memory");
}
template <typename T>
VT_DEVICE void load_tile_a(T* tile, const T* rows, long long stride) {
  constexpr int eight_columns = 16 / sizeof(T);
  load_four(reinterpret_cast<unsigned*>(tile),
            rows + int(threadIdx.x % 16) * stride + threadIdx.x / 16 * eight_columns);
}
// Rows of the depth, of elements of 16 bits: turned on the way.
template <typename T>
VT_DEVICE void load_tile_a_transposed(T* tile, const T* rows, long long stride) {
  unsigned* const registers = reinterpret_cast<unsigned*>(tile);
  const T* const row = rows + int(threadIdx.x / 16 * 8 + threadIdx.x % 8) * stride + threadIdx.x / 8 % 2 * 8;
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(registers[0]), "=r"(registers[1]), "=r"(registers[2]), "=r"(registers[3])
               : "r"(address)
               : "memory");
}
template <typename T>
VT_DEVICE void load_tile_b(T* tile, const T* rows, long long stride) {
  unsigned* const registers = reinterpret_cast<unsigned*>(tile);
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(rows + int(threadIdx.x % 16) * stride));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(registers[0]), "=r"(registers[1])
               : "r"(address)
               : "memory");
}
// Rows of the columns, as the instruction wants them.
template <typename T>
VT_DEVICE void load_tile_b_transposed(T* tile, const T* rows, long long stride) {
  constexpr int eight_columns = 16 / sizeof(T);
  unsigned* const registers = reinterpret_cast<unsigned*>(tile);
  const T* const row = rows + int(threadIdx.x % 8) * stride + threadIdx.x / 8 % 2 * eight_columns;
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(registers[0]), "=r"(registers[1])
               : "r"(address)
               : "memory");
}
// One instruction of sm_80 and later each. sm_75 has smaller ones, and none of bfloat16.
#if __CUDA_ARCH__ >= 800
#define VT_MULTIPLY_TILES(Sum, Operand, types, constraint)                                           \
  VT_DEVICE void multiply_tiles(Sum* sums, const Operand* a, const Operand* b) {                     \
    const unsigned* const x = reinterpret_cast<const unsigned*>(a);                                  \
    const unsigned* const y = reinterpret_cast<const unsigned*>(b);                                  \
    asm("mma.sync.aligned." types " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
        : constraint(sums[0]), constraint(sums[1]), constraint(sums[2]), constraint(sums[3])         \
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));                         \
  }
VT_MULTIPLY_TILES(float, half, "m16n8k16.row.col.f32.f16.f16.f32", "+f")
VT_MULTIPLY_TILES(float, bfloat16, "m16n8k16.row.col.f32.bf16.bf16.f32", "+f")
VT_MULTIPLY_TILES(int, signed char, "m16n8k32.row.col.s32.s8.s8.s32", "+r")
#undef VT_MULTIPLY_TILES
#else
VT_DEVICE void multiply_tiles(float* sums, const half* a, const half* b) {
  const unsigned* const x = reinterpret_cast<const unsigned*>(a);
  const unsigned* const y = reinterpret_cast<const unsigned*>(b);
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(x[2 * i]), "r"(x[2 * i + 1]), "r"(y[i]));
  }
}
// Quarters: 8 rows of the left side by 16 of the depth.
VT_DEVICE void multiply_tiles(int* sums, const signed char* a, const signed char* b) {
  const unsigned* const x = reinterpret_cast<const unsigned*>(a);
  const unsigned* const y = reinterpret_cast<const unsigned*>(b);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int half_of_sums = i % 2 * 2;
    asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+r"(sums[half_of_sums]), "+r"(sums[half_of_sums + 1])
        : "r"(x[i]), "r"(y[i / 2]));
  }
}
#endif
template <typename To, typename From>
VT_DEVICE void store_tile(To* rows, long long stride, const From* tile) {
  To* const first = rows + int(threadIdx.x / 4) * stride + threadIdx.x % 4 * 2;
#pragma unroll
  for (int i = 0; i < 4; ++i) first[i / 2 * 8 * stride + i % 2] = To(tile[i]);
}
#endif

}  // namespace vt
