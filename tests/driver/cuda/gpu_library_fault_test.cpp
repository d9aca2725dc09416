// What goes wrong with NVIDIA's libraries: what is said, and that everything else goes on. Libraries stand in for them,
// since no machine has all of these faults.
#include <dlfcn.h>

#include "driver/cuda/cublas.h"
#include "driver/cuda/cudnn.h"
#include "driver/cuda/gpu_library.h"
#include "driver/cuda/gpu_tensor.h"
#include "tests/catch.h"
#include "tests/driver/cuda/functions.h"

namespace vantage::test::driver_cuda_gpu_library_fault_test {

using namespace vantage;
using namespace vantage::driver;
using Catch::Matchers::StartsWith;
using vantage::Tensor;

namespace {

const MatmulShape kShape{.m = 4, .n = 4, .k = 4};
const Conv2dShape kConv{.in_channels = 4, .height = 4, .width = 4, .out_channels = 4};

Tensor ones(const Tensor::Shape& shape) {
  Tensor tensor(kFloat32, shape);
  for (int64_t i = 0; i < tensor.size(); ++i) tensor.set_number(i, 1);
  return tensor;
}

// Whether one product of ones runs.
bool multiplies(const CudaOptions& options) {
  const auto library = GpuLibrary::open("cublas:", options);
  const GpuTensor a(library->gpu(), ones({4, 4})), c(library->gpu(), kFloat32, {4, 4});
  return library->matmul(kShape, {a.tensor(), a.tensor(), c.tensor()})->run().ok();
}

// The same of a convolution.
bool convolves(const CudaOptions& options) {
  const auto library = GpuLibrary::open("cudnn:", options);
  const GpuTensor a(library->gpu(), ones({1, 4, 4, 4})), c(library->gpu(), kFloat32, {1, 4, 4, 4});
  return library->conv2d(kConv, ones({4, 4, 1, 1}), {a.tensor(), c.tensor()})->run().ok();
}

long objects(const char* library, const char* count) {
  return reinterpret_cast<long (*)()>(dlsym(dlopen(library, RTLD_NOW), count))();
}

}  // namespace

TEST_CASE("a library that is missing or too old says what was looked for, and where it is", "[unit]") {
  for (CudaOptions options : {stand_in_here(), stand_in_apart()}) {
    options.libcublas = "/nowhere/libcublas.so.13";
    options.libcudnn = VANTAGE_STAND_IN_LIBCUDA;
    const std::string missing = ERROR_OF(GpuLibrary::open("cublas:", options));
    CHECK_THAT(missing, StartsWith("cuBLAS is not here: /nowhere/libcublas.so.13: cannot open") &&
                            ContainsSubstring("Looked for was /nowhere/libcublas.so.13. It comes with the CUDA toolkit "
                                              "(12 or later), and with the Python package nvidia-cublas, whose folder "
                                              "with the library then goes into LD_LIBRARY_PATH"));
    CHECK(why_no_gpu_library("cublas:", options) == missing);
    const std::string old = ERROR_OF(GpuLibrary::open("cudnn:", options));
    CHECK_THAT(old, StartsWith("cuDNN: ") && ContainsSubstring("libcuda.so has no cudnnGetVersion: it is older than "
                                                               "cuDNN 9; install a newer one"));
    CHECK(why_no_gpu_library("cudnn:", options) == old);
    options.libcuda = "/nowhere/libcuda.so.1";
    CHECK(why_no_gpu_library("cudnn:", options) == why_no_cuda(options));
    CHECK_THAT(ERROR_OF(GpuLibrary::open("cudnn:", options)), StartsWith("cuda: NVIDIA's driver is not here"));
  }
}

TEST_CASE("NVIDIA's own libraries, where they are, have every function that is called", "[unit]") {
  for (const auto require : {&require_cublas, &require_cudnn}) {
    try {
      require("");
    } catch (const Error& error) {
      CHECK_THAT(error.what(), ContainsSubstring("is not here"));
    }
  }
}

TEST_CASE("a library that does not start says why, and what that means", "[unit]") {
  for (const CudaOptions& options : {stand_in_here(), stand_in_apart()}) {
    {
      const Variable knob("STAND_IN_CUBLAS_CREATE", "3");
      CHECK(ERROR_OF(multiplies(options)) ==
            "cublas: starting it: CUBLAS_STATUS_ALLOC_FAILED (what it means); the GPU's memory is "
            "full, of which cuBLAS takes some for itself");
    }
    {
      const Variable knob("STAND_IN_CUDNN_CREATE", "1008");
      CHECK_THAT(ERROR_OF(convolves(options)),
                 StartsWith("cudnn: starting it: CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED (what it says); libcudnn "
                            "consists of several libraries"));
    }
    {
      const Variable knob("STAND_IN_CUDNN_CREATE", "3005");
      CHECK_THAT(ERROR_OF(convolves(options)), ContainsSubstring("install a newer driver, or an older cuDNN"));
    }
  }
}

TEST_CASE("a call that fails names its code and what it was about, and the GPU goes on", "[unit]") {
  for (const CudaOptions& options : {stand_in_here(), stand_in_apart()}) {
    const auto library = GpuLibrary::open("cublas:", options);
    const GpuTensor a(library->gpu(), ones({4, 4})), c(library->gpu(), kFloat32, {4, 4});
    // A worker has the environment that it was started in.
    if (options.worker.empty()) {
      const auto loaded = library->matmul(kShape, {a.tensor(), a.tensor(), c.tensor()});
      {
        const Variable knob("STAND_IN_CUBLAS_STATUS", "15");
        CHECK(ERROR_OF(loaded->run()) ==
              "cublas: a product of 4 x 4 by 4 x 4 of float32: CUBLAS_STATUS_NOT_SUPPORTED (what it means); it has no "
              "kernel for such sizes and types on this GPU");
        CHECK_THAT(ERROR_OF(loaded->time({})), ContainsSubstring("CUBLAS_STATUS_NOT_SUPPORTED"));
      }
      CHECK(loaded->run().ok());
      CHECK(c.read().number(5) == 4);
    }
    {
      const Variable knob("STAND_IN_CUDNN_STATUS", "3000");
      CHECK(ERROR_OF(convolves(options)) ==
            "cudnn: a convolution of 1x4x4x4 to 4, 1x1, of float32: CUDNN_STATUS_NOT_SUPPORTED (what it says); it has "
            "no kernel for such sizes and types on this GPU");
    }
    {
      const Variable knob("STAND_IN_CUDNN_FOUND", "2");  // transforms alone
      CHECK_THAT(ERROR_OF(convolves(options)),
                 ContainsSubstring("none of its algorithms that add up the products can do this"));
    }
    CHECK(convolves(options));
  }
}

TEST_CASE("a workspace that does not fit is told with what is left, and nothing of it is kept", "[unit]") {
  const Variable memory("STAND_IN_MEMORY", "100000"), knob("STAND_IN_CUDNN_WORKSPACE", "90000");
  for (const CudaOptions& options : {stand_in_here(), stand_in_apart()}) {
    const auto library = GpuLibrary::open("cudnn:", options);
    const GpuTensor a(library->gpu(), ones({1, 4, 4, 4})), c(library->gpu(), kFloat32, {1, 4, 4, 4});
    {
      const driver::Buffer other = library->gpu().allocate(Bytes(30000));
      CHECK_THAT(ERROR_OF(library->conv2d(kConv, ones({4, 4, 1, 1}), {a.tensor(), c.tensor()})),
                 ContainsSubstring("cuda has no 90000 bytes of memory left: 69"));
    }
    // Several times, so that it is given back each time.
    for (int i = 0; i < 3; ++i) {
      const auto loaded = library->conv2d(kConv, ones({4, 4, 1, 1}), {a.tensor(), c.tensor()});
      CHECK(loaded->code() == "cuDNN 9.14.0, IMPLICIT_PRECOMP_GEMM with 90000 bytes of workspace");
      CHECK(loaded->run().ok());
    }
    CHECK(c.read() == [] {
      Tensor fours = ones({1, 4, 4, 4});
      for (int64_t i = 0; i < fours.size(); ++i) fours.set_number(i, 4);
      return fours;
    }());
  }
}

TEST_CASE("behind a fault of a library's kernel the GPU goes on, and its calls are bound anew", "[unit]") {
  const CudaOptions options = stand_in_apart();
  const auto library = [&] {
    const Variable knob("STAND_IN_FAULT_AT", "2");
    return GpuLibrary::open("cublas:", options);
  }();
  const GpuTensor c(library->gpu(), kFloat32, {4, 4});
  GpuTensor a(library->gpu(), ones({4, 4}));
  const auto loaded = library->matmul(kShape, {a.tensor(), a.tensor(), c.tensor()});
  CHECK(loaded->run().ok());
  CHECK_THAT(ERROR_OF(loaded->run()), StartsWith("cuda: a product by cuBLAS: CUDA_ERROR_ILLEGAL_ADDRESS") &&
                                          ContainsSubstring("it is opened anew when it is next used"));
  CHECK_THAT(ERROR_OF(loaded->run()), ContainsSubstring("the content of the argument A of matmul was lost"));
  a.write(ones({4, 4}));
  CHECK(loaded->run().ok());
  CHECK(c.read().number(5) == 4);
}

TEST_CASE("libraries are opened once for a GPU, and nothing of them is left behind", "[unit]") {
  const CudaOptions options = stand_in_here();
  const auto handles = [] { return objects(VANTAGE_STAND_IN_LIBCUBLAS, "stand_in_cublas_handles"); };
  const auto others = [] { return objects(VANTAGE_STAND_IN_LIBCUDNN, "stand_in_cudnn_objects"); };
  REQUIRE(handles() == 0);
  REQUIRE(others() == 0);
  {
    const auto library = GpuLibrary::open("cublas:", options);
    CHECK(handles() == 0);
    const GpuTensor a(library->gpu(), ones({4, 4})), c(library->gpu(), kFloat32, {4, 4});
    const auto first = library->matmul(kShape, {a.tensor(), a.tensor(), c.tensor()});
    const auto second = library->matmul(kShape, {a.tensor(), a.tensor(), c.tensor()});
    CHECK(handles() == 1);
    CHECK(convolves(options));
    CHECK(others() == 0);
  }
  CHECK(handles() == 0);
}

}  // namespace vantage::test::driver_cuda_gpu_library_fault_test
