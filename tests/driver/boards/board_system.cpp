#include "tests/driver/boards/board_system.h"

#include <fcntl.h>
#include <linux/dma-heap.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <thread>

#include "base/error.h"
#include "base/file.h"
#include "base/math.h"
#include "driver/boards/bit_file.h"
#include "driver/boards/programmer.h"
#include "tests/driver/boards/bit_bytes.h"

extern char** environ;

namespace vantage::test {

namespace fs = std::filesystem;

namespace {

constexpr Bytes kWindow{0x10000};
constexpr uint64_t kPage = 4096;
constexpr uint64_t kSystemPages[] = {0xf8000000, 0xf8007000, 0xff5e0000};
constexpr uint64_t kConfigurationControl = 0xf8007000;  // of a Zynq-7000: devcfg.CTRL
constexpr uint64_t kConfigurationStatus = 0xf8007014;
const fs::path kUdmabuf = "/sys/class/u-dma-buf/udmabuf0";

// Functions of a C library know no object: the system whose library was asked for last.
BoardSystem* library_user = nullptr;

void* cma_alloc(uint32_t bytes, uint32_t cacheable) {
  VANTAGE_CHECK(cacheable == 1);
  // As the real one when it has less than is asked for.
  return Bytes(bytes) > EmulatedBoard::kMemoryBytes ? nullptr : library_user->allocate_cached(Bytes(bytes));
}
void cma_free(void* data) {
  library_user->free_cached(data);
}
unsigned long cma_get_phy_addr(void*) {
  return EmulatedBoard::kMemory;
}
void cma_flush_cache(void*, unsigned int address, int bytes) {
  library_user->sync(Bytes(address - EmulatedBoard::kMemory), Bytes(static_cast<uint64_t>(bytes)), true);
}
void cma_invalidate_cache(void*, unsigned int address, int bytes) {
  library_user->sync(Bytes(address - EmulatedBoard::kMemory), Bytes(static_cast<uint64_t>(bytes)), false);
}

int device;
void* xrt_device_open(unsigned int index) {
  return index == 0 ? &device : nullptr;
}
int xrt_device_close(void* handle) {
  return handle == &device ? 0 : -EINVAL;
}
void* xrt_bo_alloc(void* handle, size_t bytes, uint64_t flags, uint32_t group) {
  VANTAGE_CHECK(handle == &device && flags == 1 << 24 && group == 0);
  return Bytes(bytes) > EmulatedBoard::kMemoryBytes ? nullptr : library_user->allocate_cached(Bytes(bytes));
}
int xrt_bo_free(void* data) {
  library_user->free_cached(data);
  return 0;
}
void* xrt_bo_map(void* data) {
  return data;
}
uint64_t xrt_bo_address(void*) {
  return EmulatedBoard::kMemory;
}
int xrt_bo_sync(void*, int direction, size_t bytes, size_t offset) {
  library_user->sync(Bytes(offset), Bytes(bytes), direction == 0);
  return 0;
}

const std::map<std::string, std::map<std::string, void*>> kLibraries = {
    {"libcma.so",
     {{"cma_alloc", reinterpret_cast<void*>(cma_alloc)},
      {"cma_free", reinterpret_cast<void*>(cma_free)},
      {"cma_get_phy_addr", reinterpret_cast<void*>(cma_get_phy_addr)},
      {"cma_flush_cache", reinterpret_cast<void*>(cma_flush_cache)},
      {"cma_invalidate_cache", reinterpret_cast<void*>(cma_invalidate_cache)}}},
    {"libxrt_coreutil.so.2",
     {{"xrtDeviceOpen", reinterpret_cast<void*>(xrt_device_open)},
      {"xrtDeviceClose", reinterpret_cast<void*>(xrt_device_close)},
      {"xrtBOAlloc", reinterpret_cast<void*>(xrt_bo_alloc)},
      {"xrtBOFree", reinterpret_cast<void*>(xrt_bo_free)},
      {"xrtBOMap", reinterpret_cast<void*>(xrt_bo_map)},
      {"xrtBOAddress", reinterpret_cast<void*>(xrt_bo_address)},
      {"xrtBOSync", reinterpret_cast<void*>(xrt_bo_sync)}}},
};

}  // namespace

EmulatedBoard::EmulatedBoard(const std::vector<std::string>& arguments) {
  write_file(memory(), "");
  fs::resize_file(memory(), kMemory + kMemoryBytes.count());
  std::vector<std::string> all;
#ifdef VANTAGE_EMULATOR
  // Of another architecture's programs, with its arguments.
  std::istringstream emulator(VANTAGE_EMULATOR);
  for (std::string word; emulator >> word;) all.push_back(word);
#endif
  all.insert(all.end(), {VANTAGE_EMULATED_BOARD, socket().string(), memory().string()});
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& argument : all) argv.push_back(argument.data());
  argv.push_back(nullptr);
  VANTAGE_CHECK(::posix_spawnp(&process_, argv[0], nullptr, nullptr, argv.data(), environ) == 0);
}

EmulatedBoard::~EmulatedBoard() {
  ::kill(process_, SIGTERM);
  int status = 0;
  ::waitpid(process_, &status, 0);
}

BoardSystem::BoardSystem(const EmulatedBoard& board, bool uio, MemoryKind memory)
    : FakeKernel(Has::kFpgaManager), memory_(::open(board.memory().c_str(), O_RDWR | O_CLOEXEC)) {
  VANTAGE_CHECK(memory_ >= 0);
  window_ = static_cast<std::byte*>(
      ::mmap(nullptr, kWindow.count(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  cached_ = static_cast<std::byte*>(
      ::mmap(nullptr, EmulatedBoard::kMemoryBytes.count(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, board.socket().c_str());
  connection_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  // The process may have a model to load before it listens.
  while (::connect(connection_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  system_registers_.resize(std::size(kSystemPages) * kPage / 4);
  system_register(0xf8000108) = 20 << 12;            // 50 MHz times 20
  system_register(0xf8000170) = 0x00100a00;          // 1 GHz by 10 and 1
  system_register(0xff5e0020) = 90 << 8 | 1u << 16;  // 33.333 MHz times 90, halved
  system_register(0xff5e00c0) = 0x00010f00;
  put("/dev/mem", "");
  if (uio) {
    put("/sys/class/uio/uio0/maps/map0/addr", "0x43c00000\n");
    put("/sys/class/uio/uio0/maps/map0/size", "0x00010000\n");
    put("/dev/uio0", "");
  }
  if (memory == MemoryKind::kUdmabuf) {
    put(kUdmabuf / "phys_addr", fmt::format("0x{:08x}\n", EmulatedBoard::kMemory));
    put(kUdmabuf / "size", fmt::format("{}\n", EmulatedBoard::kMemoryBytes.count()));
    for (const char* name : {"sync_offset", "sync_size", "sync_for_device", "sync_for_cpu"}) put(kUdmabuf / name, "0");
    put("/dev/udmabuf0", "");
  }
  if (memory == MemoryKind::kDmaHeap) {
    put("/dev/dma_heap/linux,cma", "");
    put("/dev/dma_heap/system", "");
    put("/proc/self/pagemap", "");
  }
  if (memory == MemoryKind::kLibCma) put("/dev/xlnk", "");
  if (memory == MemoryKind::kXrt) put("/xrt", "");
  const auto file = boards::parse_bit_file(bit_bytes(), "vta.bit");
  carry_out(boards::fpga_manager()->plan(*this, file), [](const std::string&) {});
  calls_ = 0;
  library_user = this;
}

BoardSystem::~BoardSystem() {
  release_kept();
  at_end();
  ::munmap(window_, kWindow.count());
  ::munmap(cached_, EmulatedBoard::kMemoryBytes.count());
  ::close(connection_);
  ::close(memory_);
}

bool BoardSystem::fails() {
  if (++calls_ != failing_call_) return false;
  errno = EIO;
  return true;
}

uint32_t BoardSystem::access(char op, uint32_t address, uint32_t data) const {
  struct {
    uint8_t op, size;
    uint16_t zero;
    uint32_t address, data;
  } const request{static_cast<uint8_t>(op), 4, 0, address, data};
  uint32_t answer[2] = {};
  VANTAGE_CHECK(::send(connection_, &request, sizeof request, MSG_NOSIGNAL) == sizeof request);
  VANTAGE_CHECK(::recv(connection_, answer, sizeof answer, MSG_WAITALL) == sizeof answer);
  interrupt_level_ = answer[1];
  return answer[0];
}

int BoardSystem::open(const fs::path& path, int flags, unsigned mode) {
  return fails() ? -1 : FakeKernel::open(path, flags, mode);
}

ssize_t BoardSystem::read(int file, void* bytes, size_t size) {
  if (fails()) return -1;
  if (path_of(file) != "/dev/uio0") return FakeKernel::read(file, bytes, size);
  VANTAGE_CHECK(size == sizeof interrupts_);
  std::memcpy(bytes, &interrupts_, size);
  return sizeof interrupts_;
}

ssize_t BoardSystem::write(int file, const void* bytes, size_t size) {
  if (fails()) return -1;
  const fs::path path = path_of(file);
  if (path == "/dev/uio0") {
    interrupt_enabled_ = true;
    return static_cast<ssize_t>(size);
  }
  if (path.parent_path() != kUdmabuf) return FakeKernel::write(file, bytes, size);
  put(path, std::string(static_cast<const char*>(bytes), size));
  const auto number = [&](const char* name) { return Bytes(std::stoull(text(kUdmabuf / name), nullptr, 0)); };
  if (path.filename() == "sync_for_device" || path.filename() == "sync_for_cpu") {
    sync(number("sync_offset"), number("sync_size"), path.filename() == "sync_for_device");
  }
  return static_cast<ssize_t>(size);
}

ssize_t BoardSystem::read_at(int file, void* bytes, size_t size, uint64_t offset) {
  if (fails()) return -1;
  if (path_of(file) != "/proc/self/pagemap") return FakeKernel::read_at(file, bytes, size, offset);
  // As the kernel shows it for a mapping of the heap's buffer.
  const uint64_t page = offset / 8 * kPage;
  uint64_t entry = 0;
  for (const auto& [mapping, length] : mappings_) {
    const auto begin = reinterpret_cast<uintptr_t>(mapping);
    if (page < begin || page >= begin + length) continue;
    entry = uint64_t{1} << 63 | (EmulatedBoard::kMemory + page - begin) / kPage;
  }
  std::memcpy(bytes, &entry, size);
  return static_cast<ssize_t>(size);
}

int BoardSystem::sync_file(int file) {
  return fails() ? -1 : FakeKernel::sync_file(file);
}

int BoardSystem::rename(const fs::path& from, const fs::path& to) {
  return fails() ? -1 : FakeKernel::rename(from, to);
}

int BoardSystem::remove(const fs::path& path) {
  return fails() ? -1 : FakeKernel::remove(path);
}

bool BoardSystem::make_folders(const fs::path& folder) {
  return fails() ? false : FakeKernel::make_folders(folder);
}

int BoardSystem::lock(int file) {
  return fails() ? -1 : FakeKernel::lock(file);
}

int BoardSystem::ioctl(int file, unsigned long request, void* argument) {
  if (fails()) return -1;
  VANTAGE_CHECK(path_of(file) == "/dev/dma_heap/linux,cma" && request == DMA_HEAP_IOCTL_ALLOC);
  auto& allocation = *static_cast<dma_heap_allocation_data*>(argument);
  if (Bytes(allocation.len) > EmulatedBoard::kMemoryBytes) {
    errno = ENOMEM;
    return -1;
  }
  allocation.fd = static_cast<uint32_t>(::dup(memory_));
  add_file(static_cast<int>(allocation.fd), "dma-buf");
  return 0;
}

void* BoardSystem::map_memory(Bytes size, uint64_t physical_address) {
  void* const mapping =
      ::mmap(nullptr, size.count(), PROT_READ | PROT_WRITE, MAP_SHARED, memory_, static_cast<off_t>(physical_address));
  return mapping == MAP_FAILED ? nullptr : mapping;
}

void* BoardSystem::map(int file, Bytes size, uint64_t offset) {
  if (fails()) return nullptr;
  const fs::path path = path_of(file);
  void* mapping = nullptr;
  if (path == "/dev/uio0" || (path == "/dev/mem" && offset == EmulatedBoard::kRegisters)) {
    mapping = window_;
  } else if (path == "/dev/mem" && std::count(std::begin(kSystemPages), std::end(kSystemPages), offset) != 0) {
    mapping = &system_register(offset);
  } else if (path == "/dev/udmabuf0") {
    mapping = cached_;
  } else {
    mapping = map_memory(size, path == "/dev/mem" ? offset : EmulatedBoard::kMemory);
  }
  if (mapping != nullptr) mappings_[mapping] = size.count();
  return mapping;
}

int BoardSystem::unmap(void* mapping, Bytes size) {
  mappings_.erase(mapping);
  const bool is_ours = mapping == window_ || mapping == cached_ || is_system(static_cast<uint32_t*>(mapping));
  return is_ours ? 0 : ::munmap(mapping, size.count());
}

int BoardSystem::poll(int file, std::chrono::milliseconds timeout) {
  if (fails()) return -1;
  VANTAGE_CHECK(path_of(file) == "/dev/uio0");
  // A millisecond of the board's passes with every look at it.
  for (auto left = timeout; left.count() >= 0; --left) {
    access('P', 0, 0);
    slept_ += std::chrono::milliseconds(1);
    if (interrupt_level_ != 0 && interrupt_enabled_ && !loses_interrupts_) {
      interrupt_enabled_ = false;  // the kernel masks it until it is enabled again
      ++interrupts_;
      return 1;
    }
  }
  return 0;
}

uint32_t& BoardSystem::system_register(uint64_t physical_address) {
  const auto page = std::find(std::begin(kSystemPages), std::end(kSystemPages), physical_address / kPage * kPage);
  VANTAGE_CHECK(page != std::end(kSystemPages));
  const auto index = static_cast<uint64_t>(page - std::begin(kSystemPages));
  return system_registers_[(index * kPage + physical_address % kPage) / 4];
}

bool BoardSystem::is_system(const volatile uint32_t* address) const {
  return address >= system_registers_.data() && address < system_registers_.data() + system_registers_.size();
}

uint32_t BoardSystem::load(const volatile uint32_t* address) {
  if (is_system(address)) return *address;
  const auto offset = static_cast<uint32_t>(reinterpret_cast<const volatile std::byte*>(address) - window_);
  VANTAGE_CHECK(offset < kWindow.count());
  return tamper(offset, access('R', EmulatedBoard::kRegisters + offset, 0));
}

void BoardSystem::store(volatile uint32_t* address, uint32_t value) {
  if (is_system(address)) {
    system_writes.push_back(value);
    *address = value;
    // INIT_B follows PROG_B, whose fall empties the FPGA.
    if (address == &system_register(kConfigurationControl)) {
      constexpr uint32_t kInit = 1u << 4;
      uint32_t& status = system_register(kConfigurationStatus);
      const bool high = (value & 1u << 30) != 0;
      status = high ? status | kInit : status & ~kInit;
      if (!high) clear_fpga();
    }
    return;
  }
  const auto offset = static_cast<uint32_t>(reinterpret_cast<volatile std::byte*>(address) - window_);
  VANTAGE_CHECK(offset < kWindow.count());
  access('W', EmulatedBoard::kRegisters + offset, value);
}

void* BoardSystem::library(const std::string& name) {
  asked_library_ = name;
  const bool there = (name == "libcma.so" && exists("/dev/xlnk")) || (name == "libxrt_coreutil.so.2" && exists("/xrt"));
  return there ? const_cast<void*>(static_cast<const void*>(&kLibraries.at(name))) : nullptr;
}

void* BoardSystem::symbol(void* library, const std::string& name) {
  const auto& functions = *static_cast<const std::map<std::string, void*>*>(library);
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

std::chrono::steady_clock::time_point BoardSystem::now() const {
  return System::now() + slept_;
}

void BoardSystem::sleep(std::chrono::microseconds time) const {
  slept_ += time;
  access('P', 0, 0);
}

void* BoardSystem::allocate_cached(Bytes size) {
  VANTAGE_CHECK(size <= EmulatedBoard::kMemoryBytes);
  ++buffers;
  return cached_;
}

void BoardSystem::free_cached(void* data) {
  VANTAGE_CHECK(data == cached_);
  --buffers;
}

void BoardSystem::sync(Bytes offset, Bytes size, bool to_device) {
  ++syncs_;
  VANTAGE_CHECK(offset + size <= EmulatedBoard::kMemoryBytes);
  constexpr uint64_t kLine = 64;
  const uint64_t end = round_up((offset + size).count(), kLine);
  offset = Bytes(offset.count() / kLine * kLine);
  size = Bytes(end) - offset;
  const auto place = static_cast<off_t>(EmulatedBoard::kMemory + offset.count());
  const ssize_t moved = to_device ? ::pwrite(memory_, cached_ + offset.count(), size.count(), place)
                                  : ::pread(memory_, cached_ + offset.count(), size.count(), place);
  VANTAGE_CHECK(moved == static_cast<ssize_t>(size.count()));
}

boards::BoardOptions board_options(const std::string& map, MemoryKind memory) {
  boards::BoardOptions options;
  const fs::path folder = source_dir() / "configs/boards";
  options.board = fpga::Board::load(folder / "pynq-z1.json");
  options.board.coherent = memory == MemoryKind::kDmaHeap;
  if (memory == MemoryKind::kReserved) {
    options.board.reserved_address = EmulatedBoard::kMemory;
    options.board.reserved_bytes = EmulatedBoard::kMemoryBytes;
  }
  options.map = boards::RunProtocol::load(folder / "register_maps" / (map + ".json"));
  return options;
}

}  // namespace vantage::test
