// A GPU that is opened anew after a kernel faulted, behind addresses that stay what they are.
//
// What was in its memory is lost then: buffers keep their addresses and are zero, and until all of what is read of one
// was written again, by the host or by a program that ran to its end, it cannot be read, nor be the input of a program.
//
// Thread safety: none.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "driver/cuda/gpu.h"
#include "driver/cuda/gpu_tensors.h"

namespace vantage::driver {

class RecoveringGpu {
 public:
  using Start = std::function<std::unique_ptr<Gpu>()>;

  // What takes tensors, and addresses of this for them; bound by whoever uses it first, and again after a fault.
  struct Binding {
    std::function<Gpu::Bound(Gpu&, const std::vector<uint64_t>&)> bind;  // Gpu::bind() with a program, or with a call
    native::Signature signature;
    std::vector<bool> is_read;  // of each parameter: whether it may matter what it holds when a run begins
    std::vector<GpuRange> tensors;
    Gpu::Bound bound = {};
    uint64_t generation = 0;  // of the GPU that it is bound on; 0: none
  };

  // Opens it with `start`, now and after every fault. `name` begins messages.
  RecoveringGpu(Start start, std::string name);

  const GpuInfo& info() const { return info_; }

  // All of these throw as Gpu's do, and Error where the GPU cannot be opened anew.
  uint64_t allocate(Bytes size);
  void release(uint64_t address) noexcept;
  // Throw Error where the range is not all in one buffer; read() also where its content is lost.
  void write(uint64_t address, std::span<const std::byte> bytes);
  void read(uint64_t address, std::span<std::byte> bytes);
  void require_inside(uint64_t address, uint64_t bytes) const;

  void bind(Binding& binding);
  void unbind(Binding& binding) noexcept;
  // Throw Error also where the content of an input is lost.
  double run(Binding& binding, const std::stop_token& stop = {});
  Timing time(Binding& binding, const TimeOptions& options, const std::stop_token& stop = {});

 private:
  struct Piece {
    uint64_t size;
    uint64_t real;                           // the GPU's address
    bool is_lost = false;                    // what was in it, but for `kept`
    std::map<uint64_t, uint64_t> kept = {};  // what was written since: from where to where, apart from one another

    // Whether nothing is lost of the bytes from `begin` to `end`; that they are written.
    bool has(uint64_t begin, uint64_t end) const;
    void keep(uint64_t begin, uint64_t end);
  };
  using Pieces = std::map<uint64_t, Piece>;

  // The GPU, opened anew where it has to be.
  Gpu& gpu();
  void forget() noexcept;
  // Calls `work` with the GPU. A fault ends it.
  template <typename Work>
  auto with_gpu(const Work& work);
  Pieces::iterator piece_of(uint64_t address, uint64_t bytes);
  uint64_t real(uint64_t address);
  bool has(uint64_t address, uint64_t bytes);
  void keep(uint64_t address, uint64_t bytes);
  // Before a program runs, and after it ran to its end.
  void prepare(Binding& binding);
  void keep_results(const Binding& binding);

  const Start start_;
  const std::string name_;
  std::unique_ptr<Gpu> gpu_;  // null after a fault
  GpuInfo info_;
  Pieces pieces_;  // by address
  uint64_t next_address_;
  uint64_t generation_ = 1;
};

}  // namespace vantage::driver
