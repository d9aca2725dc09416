// What a process and the one that holds a GPU for it say to each other: frames of a head, which is made of fields, and
// a body, which is bytes of memory.
//
// Both ends are of one build on one machine, so numbers go as memory has them.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "driver/cuda/gpu.h"
#include "native/gpu_program.h"

namespace vantage::driver {

enum class GpuRequest : uint64_t {
  kOpen,
  kAllocate,
  kRelease,
  kWrite,
  kRead,
  kBind,
  kBindCall,
  kJoin,
  kUnbind,
  kRun,
  kTime
};
enum class GpuReply : uint64_t { kDone, kError, kToolError, kFault };

// Adds fields to a head.
class FieldWriter {
 public:
  FieldWriter& number(uint64_t value);
  FieldWriter& real(double value);
  FieldWriter& text(std::string_view value);
  const std::string& head() const { return head_; }

 private:
  std::string head_;
};

// Takes them in the same order. InternalError when there are no more.
class FieldReader {
 public:
  explicit FieldReader(std::string_view head) : rest_(head) {}
  uint64_t number();
  double real();
  std::string text();

 private:
  std::string_view take(size_t bytes);
  std::string_view rest_;
};

void add_program(FieldWriter& fields, const native::GpuProgram& program);
native::GpuProgram take_program(FieldReader& fields);
void add_call(FieldWriter& fields, const LibraryCall& call);
LibraryCall take_call(FieldReader& fields);
void add_joined(FieldWriter& fields, const std::vector<Gpu::Joined>& calls);
std::vector<Gpu::Joined> take_joined(FieldReader& fields);
void add_info(FieldWriter& fields, const GpuInfo& info);
GpuInfo take_info(FieldReader& fields);

// One end of a pair of stream sockets.
class GpuSocket {
 public:
  // `socket` stays its owner's.
  explicit GpuSocket(int socket) : socket_(socket) {}

  // False when the other end is gone.
  bool send(const FieldWriter& fields, std::span<const std::byte> body = {}) const;
  bool receive(std::string& head, std::string& body) const;

 private:
  bool send_all(const void* bytes, size_t count) const;
  bool receive_all(void* bytes, size_t count) const;

  int socket_;
};

}  // namespace vantage::driver
