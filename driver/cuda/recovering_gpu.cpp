#include "driver/cuda/recovering_gpu.h"

#include <algorithm>
#include <exception>

#include "base/error.h"
#include "base/math.h"

namespace vantage::driver {

namespace {

// Addresses begin where no process has memory, and none is given twice: what is left of a buffer that is gone never
// means another one. A page lies between two.
constexpr uint64_t kFirstAddress = uint64_t{1} << 60, kPage = 4096;

}  // namespace

bool RecoveringGpu::Piece::has(uint64_t begin, uint64_t end) const {
  if (!is_lost || begin >= end) return true;
  const auto next = kept.upper_bound(begin);
  return next != kept.begin() && std::prev(next)->second >= end;
}

void RecoveringGpu::Piece::keep(uint64_t begin, uint64_t end) {
  if (has(begin, end)) return;
  auto next = kept.upper_bound(begin);
  if (next != kept.begin() && std::prev(next)->second >= begin) --next;
  while (next != kept.end() && next->first <= end) {
    begin = std::min(begin, next->first);
    end = std::max(end, next->second);
    next = kept.erase(next);
  }
  kept[begin] = end;
}

RecoveringGpu::RecoveringGpu(Start start, std::string name)
    : start_(std::move(start)),
      name_(std::move(name)),
      gpu_(start_()),
      info_(gpu_->info()),
      next_address_(kFirstAddress) {}

Gpu& RecoveringGpu::gpu() {
  if (gpu_ != nullptr) return *gpu_;
  std::unique_ptr<Gpu> anew = start_();
  for (auto& [address, piece] : pieces_) piece.real = anew->allocate(Bytes(piece.size));
  gpu_ = std::move(anew);
  return *gpu_;
}

void RecoveringGpu::forget() noexcept {
  gpu_.reset();
  ++generation_;
  for (auto& [address, piece] : pieces_) {
    piece.is_lost = true;
    piece.kept.clear();
  }
}

template <typename Work>
auto RecoveringGpu::with_gpu(const Work& work) {
  Gpu& own = gpu();
  try {
    return work(own);
  } catch (const GpuFault& fault) {
    forget();
    throw GpuFault(fmt::format("{}. What was in the memory of {} is lost; it is opened anew when it is next used",
                               fault.what(), name_));
  }
}

uint64_t RecoveringGpu::allocate(Bytes size) {
  const uint64_t own = with_gpu([&](Gpu& gpu) { return gpu.allocate(size); });
  const uint64_t address = next_address_;
  next_address_ = round_up(address + size.count(), kPage) + kPage;
  pieces_[address] = {size.count(), own};
  return address;
}

void RecoveringGpu::release(uint64_t address) noexcept {
  const auto piece = pieces_.find(address);
  if (piece == pieces_.end()) return;
  const uint64_t own = piece->second.real;
  pieces_.erase(piece);
  if (gpu_ == nullptr) return;
  try {
    gpu_->release(own);
  } catch (const std::exception&) {
    forget();  // somebody else's fault; the next use opens it anew
  }
}

RecoveringGpu::Pieces::iterator RecoveringGpu::piece_of(uint64_t address, uint64_t bytes) {
  require_inside(address, bytes);
  return std::prev(pieces_.upper_bound(address));
}

void RecoveringGpu::require_inside(uint64_t address, uint64_t bytes) const {
  auto piece = pieces_.upper_bound(address);
  if (piece != pieces_.begin()) {
    --piece;
    const uint64_t offset = address - piece->first;
    if (offset <= piece->second.size && bytes <= piece->second.size - offset) return;
  }
  fail("{} bytes from {:#x} on are not all in one buffer of {}", bytes, address, name_);
}

uint64_t RecoveringGpu::real(uint64_t address) {
  const auto piece = piece_of(address, 0);
  return piece->second.real + (address - piece->first);
}

bool RecoveringGpu::has(uint64_t address, uint64_t bytes) {
  const auto piece = piece_of(address, bytes);
  return piece->second.has(address - piece->first, address - piece->first + bytes);
}

void RecoveringGpu::keep(uint64_t address, uint64_t bytes) {
  const auto piece = piece_of(address, bytes);
  piece->second.keep(address - piece->first, address - piece->first + bytes);
}

void RecoveringGpu::write(uint64_t address, std::span<const std::byte> bytes) {
  require_inside(address, bytes.size());
  with_gpu([&](Gpu& gpu) { gpu.write(real(address), bytes); });
  keep(address, bytes.size());
}

void RecoveringGpu::read(uint64_t address, std::span<std::byte> bytes) {
  if (!has(address, bytes.size())) {
    fail("{}: the content of the buffer at {:#x} was lost when a kernel faulted; write it again", name_, address);
  }
  with_gpu([&](Gpu& gpu) { gpu.read(real(address), bytes); });
}

void RecoveringGpu::bind(Binding& binding) {
  if (binding.generation == generation_) return;
  with_gpu([&](Gpu& gpu) {
    std::vector<uint64_t> addresses;
    for (const GpuRange& tensor : binding.tensors) addresses.push_back(real(tensor.address));
    binding.bound = binding.bind(gpu, addresses);
    binding.generation = generation_;
  });
}

void RecoveringGpu::unbind(Binding& binding) noexcept {
  if (gpu_ == nullptr || binding.generation != generation_) return;
  binding.generation = 0;
  try {
    gpu_->unbind(binding.bound.number);
  } catch (const std::exception&) {
    forget();
  }
}

void RecoveringGpu::prepare(Binding& binding) {
  for (size_t i = 0; i < binding.tensors.size(); ++i) {
    if (!binding.is_read.at(i) || has(binding.tensors[i].address, binding.tensors[i].bytes)) continue;
    fail("{}: the content of the argument {} of {} was lost when a kernel faulted; write it again", name_,
         binding.signature.parameters[i].name, binding.signature.name);
  }
  bind(binding);
}

void RecoveringGpu::keep_results(const Binding& binding) {
  for (size_t i = 0; i < binding.tensors.size(); ++i) {
    if (!binding.signature.parameters[i].is_written) continue;
    keep(binding.tensors[i].address, binding.tensors[i].bytes);
  }
}

double RecoveringGpu::run(Binding& binding, const std::stop_token& stop) {
  prepare(binding);
  const double seconds = with_gpu([&](Gpu& gpu) { return gpu.run(binding.bound.number, stop); });
  keep_results(binding);
  return seconds;
}

Timing RecoveringGpu::time(Binding& binding, const TimeOptions& options, const std::stop_token& stop) {
  prepare(binding);
  Timing timing = with_gpu([&](Gpu& gpu) { return gpu.time(binding.bound.number, options, stop); });
  keep_results(binding);
  return timing;
}

}  // namespace vantage::driver
