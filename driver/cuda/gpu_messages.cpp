#include "driver/cuda/gpu_messages.h"

#include <sys/socket.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <type_traits>

#include "base/error.h"
#include "base/json.h"
#include "base/json_object.h"

namespace vantage::driver {

FieldWriter& FieldWriter::number(uint64_t value) {
  head_.append(reinterpret_cast<const char*>(&value), sizeof value);
  return *this;
}

FieldWriter& FieldWriter::real(double value) {
  return number(std::bit_cast<uint64_t>(value));
}

FieldWriter& FieldWriter::text(std::string_view value) {
  number(value.size());
  head_.append(value);
  return *this;
}

std::string_view FieldReader::take(size_t bytes) {
  VANTAGE_CHECK(bytes <= rest_.size());
  const std::string_view taken = rest_.substr(0, bytes);
  rest_.remove_prefix(bytes);
  return taken;
}

uint64_t FieldReader::number() {
  uint64_t value = 0;
  std::memcpy(&value, take(sizeof value).data(), sizeof value);
  return value;
}

double FieldReader::real() {
  return std::bit_cast<double>(number());
}

std::string FieldReader::text() {
  return std::string(take(number()));
}

void add_program(FieldWriter& fields, const native::GpuProgram& program) {
  fields.text(native::to_json(program.signature).dump());
  for (size_t i = 0; i < program.signature.parameters.size(); ++i) fields.number(program.is_read.at(i) ? 1 : 0);
  fields.text(program.architecture).text(program.toolkit).text(program.cubin).text(program.ptx);
  fields.number(program.kernels.size());
  for (const native::GpuKernel& kernel : program.kernels) {
    fields.text(kernel.name).number(kernel.shared_bytes).number(kernel.is_given ? 1 : 0);
  }
  fields.number(program.temporaries.size());
  for (const uint64_t bytes : program.temporaries) fields.number(bytes);
  fields.number(program.tensor_maps.size());
  for (const native::GpuTensorMap& map : program.tensor_maps) {
    fields.number(static_cast<uint64_t>(map.tensor.kind)).number(map.tensor.value);
    fields.number(map.dtype.code).number(map.dtype.bits).number(map.shape.size());
    for (size_t d = 0; d < map.shape.size(); ++d) {
      fields.number(map.shape[d]).number(map.strides[d]).number(map.box[d]);
    }
  }
  fields.number(program.launches.size());
  for (const native::GpuLaunch& launch : program.launches) {
    fields.number(launch.kernel);
    for (const uint32_t extent : launch.grid) fields.number(extent);
    for (const uint32_t extent : launch.block) fields.number(extent);
    fields.number(launch.arguments.size());
    for (const native::GpuArgument& argument : launch.arguments) {
      fields.number(static_cast<uint64_t>(argument.kind)).number(argument.value);
    }
  }
}

native::GpuProgram take_program(FieldReader& fields) {
  native::GpuProgram program;
  const Json signature = parse_json(fields.text(), "a program");
  program.signature = native::signature_from_json(JsonObject(signature, "a program"));
  for (size_t i = 0; i < program.signature.parameters.size(); ++i) program.is_read.push_back(fields.number() != 0);
  program.architecture = fields.text();
  program.toolkit = fields.text();
  program.cubin = fields.text();
  program.ptx = fields.text();
  for (uint64_t left = fields.number(); left > 0; --left) {
    native::GpuKernel& kernel = program.kernels.emplace_back();
    kernel.name = fields.text();
    kernel.shared_bytes = fields.number();
    kernel.is_given = fields.number() != 0;
  }
  for (uint64_t left = fields.number(); left > 0; --left) program.temporaries.push_back(fields.number());
  for (uint64_t left = fields.number(); left > 0; --left) {
    native::GpuTensorMap& map = program.tensor_maps.emplace_back();
    map.tensor.kind = static_cast<native::GpuArgument::Kind>(fields.number());
    map.tensor.value = fields.number();
    map.dtype.code = static_cast<uint8_t>(fields.number());
    map.dtype.bits = static_cast<uint8_t>(fields.number());
    map.dtype.lanes = 1;
    for (uint64_t rank = fields.number(); rank > 0; --rank) {
      map.shape.push_back(fields.number());
      map.strides.push_back(fields.number());
      map.box.push_back(static_cast<uint32_t>(fields.number()));
    }
  }
  for (uint64_t left = fields.number(); left > 0; --left) {
    native::GpuLaunch& launch = program.launches.emplace_back();
    launch.kernel = static_cast<uint32_t>(fields.number());
    for (uint32_t& extent : launch.grid) extent = static_cast<uint32_t>(fields.number());
    for (uint32_t& extent : launch.block) extent = static_cast<uint32_t>(fields.number());
    for (uint64_t arguments = fields.number(); arguments > 0; --arguments) {
      const auto kind = static_cast<native::GpuArgument::Kind>(fields.number());
      launch.arguments.push_back({kind, fields.number()});
    }
  }
  return program;
}

void add_info(FieldWriter& fields, const GpuInfo& info) {
  fields.text(info.name);
  fields.number(info.memory.count()).number(info.l2_cache.count()).number(info.block_shared.count());
  for (const int number : {info.capability, info.multiprocessors, info.clock_khz, info.memory_clock_khz,
                           info.memory_bus_bits, info.driver_version}) {
    fields.number(static_cast<uint64_t>(number));
  }
}

GpuInfo take_info(FieldReader& fields) {
  GpuInfo info;
  info.name = fields.text();
  for (Bytes* bytes : {&info.memory, &info.l2_cache, &info.block_shared}) *bytes = Bytes(fields.number());
  for (int* number : {&info.capability, &info.multiprocessors, &info.clock_khz, &info.memory_clock_khz,
                      &info.memory_bus_bits, &info.driver_version}) {
    *number = static_cast<int>(fields.number());
  }
  return info;
}

namespace {

// The numbers of a shape, in order: added to a head or taken from one.
template <typename Shape, typename Visit>
void visit_numbers(Shape& s, const Visit& visit) {
  if constexpr (std::is_same_v<std::remove_const_t<Shape>, MatmulShape>) {
    for (auto* number : {&s.m, &s.n, &s.k}) visit(*number);
  } else {
    for (auto* number : {&s.batch, &s.in_channels, &s.height, &s.width, &s.out_channels, &s.kernel_h, &s.kernel_w,
                         &s.stride.rows, &s.stride.columns, &s.pad.top, &s.pad.left, &s.pad.bottom, &s.pad.right,
                         &s.dilation.rows, &s.dilation.columns}) {
      visit(*number);
    }
  }
}

}  // namespace

void add_call(FieldWriter& fields, const LibraryCall& call) {
  const auto add = [&](int64_t number) { fields.number(static_cast<uint64_t>(number)); };
  fields.text(call.file).number(call.work.index());
  if (const auto* matmul = std::get_if<MatmulShape>(&call.work)) {
    fields.text(name(matmul->dtype));
    visit_numbers(*matmul, add);
    fields.number(matmul->transpose_a ? 1 : 0).number(matmul->transpose_b ? 1 : 0);
    fields.number(matmul->batch ? 1 : 0).number(static_cast<uint64_t>(matmul->batch.value_or(0)));
  } else {
    const auto& convolution = std::get<Convolution>(call.work);
    fields.text(name(convolution.dtype));
    visit_numbers(convolution.shape, add);
    fields.number(convolution.shape.channelwise ? 1 : 0);
  }
}

LibraryCall take_call(FieldReader& fields) {
  const auto take = [&](int64_t& number) { number = static_cast<int64_t>(fields.number()); };
  LibraryCall call;
  call.file = fields.text();
  if (fields.number() == 0) {
    MatmulShape matmul;
    matmul.dtype = DType::parse(fields.text());
    visit_numbers(matmul, take);
    matmul.transpose_a = fields.number() != 0;
    matmul.transpose_b = fields.number() != 0;
    const bool has_batch = fields.number() != 0;
    const auto batch = static_cast<int64_t>(fields.number());
    if (has_batch) matmul.batch = batch;
    call.work = matmul;
  } else {
    Convolution convolution;
    convolution.dtype = DType::parse(fields.text());
    visit_numbers(convolution.shape, take);
    convolution.shape.channelwise = fields.number() != 0;
    call.work = convolution;
  }
  return call;
}

void add_joined(FieldWriter& fields, const std::vector<Gpu::Joined>& calls) {
  fields.number(calls.size());
  for (const Gpu::Joined& call : calls) {
    fields.number(call.number).number(call.after.size());
    for (const size_t needed : call.after) fields.number(needed);
  }
}

std::vector<Gpu::Joined> take_joined(FieldReader& fields) {
  std::vector<Gpu::Joined> calls(fields.number());
  for (Gpu::Joined& call : calls) {
    call.number = fields.number();
    call.after.resize(fields.number());
    for (size_t& needed : call.after) needed = fields.number();
  }
  return calls;
}

bool GpuSocket::send_all(const void* bytes, size_t count) const {
  const char* next = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t sent = ::send(socket_, next, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    next += sent;
    count -= static_cast<size_t>(sent);
  }
  return true;
}

bool GpuSocket::receive_all(void* bytes, size_t count) const {
  char* next = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t got = ::recv(socket_, next, count, MSG_WAITALL);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    next += got;
    count -= static_cast<size_t>(got);
  }
  return true;
}

bool GpuSocket::send(const FieldWriter& fields, std::span<const std::byte> body) const {
  const std::array<uint64_t, 2> sizes = {fields.head().size(), body.size()};
  return send_all(sizes.data(), sizeof sizes) && send_all(fields.head().data(), fields.head().size()) &&
         send_all(body.data(), body.size());
}

bool GpuSocket::receive(std::string& head, std::string& body) const {
  std::array<uint64_t, 2> sizes{};
  if (!receive_all(sizes.data(), sizeof sizes)) return false;
  head.resize(sizes[0]);
  body.resize(sizes[1]);
  return receive_all(head.data(), head.size()) && receive_all(body.data(), body.size());
}

}  // namespace vantage::driver
