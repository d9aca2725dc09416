#include <algorithm>
#include <array>
#include <oneapi/dnnl/dnnl.hpp>

#include "base/error.h"
#include "driver/baselines/library.h"

// Of libgomp, with which oneDNN is linked. <omp.h> would be that of the OpenMP of whichever compiler this is.
extern "C" void omp_set_num_threads(int);

namespace vantage::driver {

namespace {

using dnnl::memory;
using Desc = memory::desc;
using Tag = memory::format_tag;
using Type = memory::data_type;

struct Types {
  Type operand, result;
};

Types types_of(DType dtype) {
  return dtype == kInt8 ? Types{Type::s8, Type::s32} : Types{Type::f32, Type::f32};
}

// Where a processor lacks products of bytes that are summed in 32 bits (VNNI), oneDNN sums pairs of them in 16, which
// saturate: its page "Nuances of int8 Computations" says so. Such results are no reference for anything.
bool sums_bytes_exactly() {
  using Isa = dnnl::cpu_isa;
  const Isa isa = dnnl::get_effective_cpu_isa();
  const std::array<Isa, 4> lossy = {Isa::sse41, Isa::avx, Isa::avx2, Isa::avx512_core};
  return std::find(lossy.begin(), lossy.end(), isa) == lossy.end();
}

// What oneDNN refuses is a matter of shapes.
template <typename Make>
auto made(const Make& make) {
  try {
    return make();
  } catch (const dnnl::error& error) {
    fail("onednn: {}", error.what());
  }
}

class OneDnn final : public Library {
 public:
  explicit OneDnn(int threads) : Library("onednn:", threads), engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {}

  std::vector<DType> types() const override {
    return sums_bytes_exactly() ? std::vector<DType>{kFloat32, kInt8} : std::vector<DType>{kFloat32};
  }

 protected:
  std::function<void()> matmul_call(const MatmulShape& p, const Operands& operands) override {
    const Types types = types_of(p.dtype);
    // What is chosen depends on the threads there are.
    omp_set_num_threads(threads());
    const auto matrix = [&](int64_t rows, int64_t columns, bool transposed, Type type) {
      return Desc({p.batch.value_or(1), rows, columns}, type, transposed ? Tag::acb : Tag::abc);
    };
    const Desc a = matrix(p.m, p.k, p.transpose_a, types.operand), b = matrix(p.k, p.n, p.transpose_b, types.operand);
    const Desc c = matrix(p.m, p.n, false, types.result);
    return execution(
        made([&] { return dnnl::matmul(dnnl::matmul::primitive_desc(dnnl::matmul::desc(a, b, c), engine_)); }),
        {{DNNL_ARG_SRC, memory(a, engine_, operands[0])},
         {DNNL_ARG_WEIGHTS, memory(b, engine_, operands[1])},
         {DNNL_ARG_DST, memory(c, engine_, operands[2])}});
  }

  std::function<void()> conv2d_call(const Conv2dShape& p, const Tensor& weights, const Operands& operands) override {
    const Types types = types_of(weights.dtype());
    omp_set_num_threads(threads());
    const memory::dims sizes = {p.out_channels, p.in_channels, p.kernel_h, p.kernel_w};
    const Desc a({p.batch, p.in_channels, p.height, p.width}, types.operand, Tag::nhwc);
    const Desc c({p.batch, p.out_channels, p.out_height(), p.out_width()}, types.result, Tag::nhwc);
    const Desc any(sizes, types.operand, Tag::any);
    const memory::dims strides = {p.stride.rows, p.stride.columns}, pads = {p.pad.top, p.pad.left};
    const auto chosen = made([&] {
      using Conv = dnnl::convolution_forward;
      return Conv::primitive_desc(Conv::desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, a,
                                             any, c, strides, pads, pads),
                                  engine_);
    });
    memory plain(Desc(sizes, types.operand, Tag::oihw), engine_, weights.dl().data);
    const memory packed(chosen.weights_desc(), engine_);
    dnnl::reorder(plain, packed).execute(stream_, plain, const_cast<memory&>(packed));
    stream_.wait();
    return execution(dnnl::convolution_forward(chosen), {{DNNL_ARG_SRC, memory(a, engine_, operands[0])},
                                                         {DNNL_ARG_WEIGHTS, packed},
                                                         {DNNL_ARG_DST, memory(c, engine_, operands[1])}});
  }

 private:
  std::function<void()> execution(dnnl::primitive primitive, std::unordered_map<int, memory> arguments) {
    return [this, primitive = std::move(primitive), arguments = std::move(arguments)] {
      // A setting of the calling thread.
      omp_set_num_threads(threads());
      primitive.execute(stream_, arguments);
      stream_.wait();
    };
  }

  dnnl::engine engine_;
  dnnl::stream stream_;
};

}  // namespace

std::unique_ptr<Library> open_onednn(int threads) {
  return std::make_unique<OneDnn>(threads);
}

}  // namespace vantage::driver
