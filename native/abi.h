// How compiled functions are called, in terms of C: every back end for the host makes functions of this form, and
// everything that runs them, in this process or another, needs nothing else. Tensors are DLPack's (dlpack.h, version
// 0.6): shapes and strides count elements, strides may be null for row-major data without gaps.
//
//   vantage_argument arguments[] = {{.tensor = &a}, {.tensor = &b}, {.tensor = &c}};
//   vantage_failure failure;
//   if (matmul(arguments, 3, NULL, &failure) != VANTAGE_OK) ...
//
// Thread safety: a function may run many times at once, as long as what one run writes no other run touches.
#ifndef VANTAGE_NATIVE_ABI_H
#define VANTAGE_NATIVE_ABI_H

#include <dlpack/dlpack.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// For a scalar parameter its value, for a buffer a tensor in host memory.
typedef union {
  int64_t integer;
  double number;
  const DLTensor* tensor;
} vantage_argument;

enum {
  VANTAGE_OK = 0,
  // The number of arguments.
  VANTAGE_WRONG_COUNT = 1,
  // A null pointer where a tensor should be, or a tensor whose data is null.
  VANTAGE_NULL_TENSOR = 2,
  VANTAGE_NULL_DATA = 3,
  // The tensor is on another device than the host's processor: expected and got are DLDeviceType.
  VANTAGE_WRONG_DEVICE = 4,
  // Expected and got are code << 24 | bits << 16 | lanes of DLDataType.
  VANTAGE_WRONG_DTYPE = 5,
  VANTAGE_WRONG_RANK = 6,
  VANTAGE_WRONG_SHAPE = 7,
  VANTAGE_WRONG_STRIDE = 8,
  // Expected is the alignment in bytes, got is the address.
  VANTAGE_MISALIGNED = 9,
  // A scalar, or the size or stride that gives a variable its value, which the variable's type cannot hold.
  VANTAGE_OUT_OF_RANGE = 10,
  // The function writes one of two tensors that share memory; got is the number of the other argument.
  VANTAGE_OVERLAP = 11,
  // While it ran: results are not complete.
  VANTAGE_OUT_OF_MEMORY = 12,
  // A size below 1.
  VANTAGE_EMPTY = 13,
  // More bytes than a machine has.
  VANTAGE_TOO_LARGE = 14,
  // A stride below 0, or of 0 where elements are written; expected is the least that is allowed.
  VANTAGE_BAD_STRIDE = 15,
  VANTAGE_NULL_SHAPE = 16,
};

// What was wrong: the number of the argument and of the dimension, what was expected and what came.
typedef struct {
  int32_t code;
  int32_t argument;
  int32_t dimension;
  int64_t expected;
  int64_t got;
} vantage_failure;

// Iterations [begin, end) of a parallel loop. Returns VANTAGE_OK or a code.
typedef int32_t (*vantage_task)(void* closure, int64_t begin, int64_t end);

// What a function asks of its host.
typedef struct {
  void* context;
  // Memory for temporary values, null when there is none; `alignment` is a power of two, `bytes` may be 0. None of
  // these functions may throw.
  void* (*allocate)(void* context, uint64_t bytes, uint64_t alignment);
  void (*release)(void* context, void* memory);
  // Runs [0, count) in pieces, on as many threads as the host likes, and waits. Returns a code that a task returned,
  // VANTAGE_OK when all did well.
  int32_t (*parallel_for)(void* context, int64_t count, vantage_task task, void* closure);
} vantage_runtime;

// A function's symbol is its name with "vantage_" in front. It checks its arguments, then runs. Returns VANTAGE_OK or
// the code that it also wrote to `failure`. Without a runtime (null) it runs on one thread and takes its memory from
// the C library.
//
// A function of the user's that the code calls by name, such as my_gelu, it finds through a variable,
// vantage_extern_my_gelu: a pointer to it. It is null until whoever loads or links the code sets it, before the first
// call.
typedef int32_t (*vantage_entry)(const vantage_argument* arguments, int32_t count, const vantage_runtime* runtime,
                                 vantage_failure* failure);

#ifdef __cplusplus
}
#endif

#endif  // VANTAGE_NATIVE_ABI_H
