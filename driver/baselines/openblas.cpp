#include <cblas.h>
#include <dlfcn.h>

#include <algorithm>

#include "base/error.h"
#include "driver/baselines/library.h"

namespace vantage::driver {

namespace {

constexpr auto kOp = [](bool transposed) { return transposed ? CblasTrans : CblasNoTrans; };

// Loaded when it is asked for, not with the program: it starts its threads as soon as it is there, and they would
// take the signals that the program waits for.
struct Api {
  decltype(&cblas_sgemm) sgemm;
  decltype(&openblas_set_num_threads) set_num_threads;
};

const Api& api() {
  static const Api kApi = [] {
    void* library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) fail("openblas: {}; the Debian package libopenblas0 has it", dlerror());
    const auto find = [&](const char* name) {
      void* symbol = dlsym(library, name);
      if (symbol == nullptr) fail("openblas: the library has no {}", name);
      return symbol;
    };
    return Api{reinterpret_cast<decltype(&cblas_sgemm)>(find("cblas_sgemm")),
               reinterpret_cast<decltype(&openblas_set_num_threads)>(find("openblas_set_num_threads"))};
  }();
  return kApi;
}

void multiply(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k, const float* a, const float* b,
              float* c) {
  const auto lda = static_cast<int>(transpose_a ? m : k), ldb = static_cast<int>(transpose_b ? k : n);
  api().sgemm(CblasRowMajor, kOp(transpose_a), kOp(transpose_b), static_cast<int>(m), static_cast<int>(n),
              static_cast<int>(k), 1.0F, a, lda, b, ldb, 0.0F, c, static_cast<int>(n));
}

// The pixels under the kernel at every output pixel of an image, as the rows of a matrix.
void gather_pixels(const Conv2dShape& p, const float* image, float* rows) {
  for (int64_t y = 0; y < p.out_height(); ++y) {
    for (int64_t x = 0; x < p.out_width(); ++x) {
      for (int64_t kh = 0; kh < p.kernel_h; ++kh) {
        for (int64_t kw = 0; kw < p.kernel_w; ++kw, rows += p.in_channels) {
          const int64_t row = y * p.stride.rows + kh - p.pad.top, column = x * p.stride.columns + kw - p.pad.left;
          const bool inside = row >= 0 && row < p.height && column >= 0 && column < p.width;
          const float* pixel = image + (row * p.width + column) * p.in_channels;
          inside ? std::copy_n(pixel, p.in_channels, rows) : std::fill_n(rows, p.in_channels, 0.0F);
        }
      }
    }
  }
}

class OpenBlas final : public Library {
 public:
  explicit OpenBlas(int threads) : Library("openblas:", threads) { api(); }

  std::vector<DType> types() const override { return {kFloat32}; }

 protected:
  std::function<void()> matmul_call(const MatmulShape& p, const Operands& operands) override {
    return [p, threads = threads(), a = floats(operands[0]), b = floats(operands[1]), c = floats(operands[2])] {
      // One setting for the whole process, so it is made before every call.
      api().set_num_threads(threads);
      for (int64_t i = 0; i < p.batch.value_or(1); ++i) {
        multiply(p.transpose_a, p.transpose_b, p.m, p.n, p.k, a + i * p.m * p.k, b + i * p.k * p.n, c + i * p.m * p.n);
      }
    };
  }

  // As users of a BLAS do it: a matrix of the pixels under the kernel times one of the weights.
  std::function<void()> conv2d_call(const Conv2dShape& p, const Tensor& weights, const Operands& operands) override {
    const int64_t pixels = p.out_height() * p.out_width(), depth = p.kernel_h * p.kernel_w * p.in_channels;
    // [kernel row][kernel column][in channel][out channel]
    std::vector<float> packed(static_cast<size_t>(depth * p.out_channels));
    const float* plain = weights.values<float>().data();
    for (int64_t o = 0; o < p.out_channels; ++o) {
      for (int64_t c = 0; c < p.in_channels; ++c) {
        for (int64_t k = 0; k < p.kernel_h * p.kernel_w; ++k) {
          packed[static_cast<size_t>((k * p.in_channels + c) * p.out_channels + o)] = *plain++;
        }
      }
    }
    return [=, packed = std::move(packed), rows = std::vector<float>(static_cast<size_t>(pixels * depth)),
            threads = threads(), images = floats(operands[0]), outs = floats(operands[1])]() mutable {
      api().set_num_threads(threads);
      for (int64_t n = 0; n < p.batch; ++n) {
        const float* image = images + n * p.height * p.width * p.in_channels;
        float* out = outs + n * pixels * p.out_channels;
        // A kernel of one pixel that steps by one finds its matrix ready.
        const bool is_matrix = p.kernel_h == 1 && p.kernel_w == 1 && p.stride == PerAxis(1) && !p.pad.any();
        if (!is_matrix) gather_pixels(p, image, rows.data());
        multiply(false, false, pixels, p.out_channels, depth, is_matrix ? image : rows.data(), packed.data(), out);
      }
    };
  }

 private:
  static float* floats(void* elements) { return static_cast<float*>(elements); }
};

}  // namespace

std::unique_ptr<Library> open_openblas(int threads) {
  return std::make_unique<OpenBlas>(threads);
}

}  // namespace vantage::driver
