// What a driver relies on, tried in the guest of the virtual board; pl_peer.py is in its PL and bitstreams.py's files
// are in /lib/firmware. Exits with 1 if anything is not as it should be.

#include <fcntl.h>
#include <linux/dma-heap.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

const std::string kManager = "/sys/class/fpga_manager/fpga0/";
const std::string kUio = "/sys/class/uio/uio0/";
constexpr size_t kPage = 4096;

// The registers of pl_peer.py, in words, and of devcfg.
enum Register { kId, kReads, kData, kStart, kStatus, kInterrupt, kInvert };
constexpr uint32_t kIdValue = 0x56544130;
constexpr off_t kDevcfg = 0xF8007000;
constexpr uint32_t kPulled = 0x04006E00, kReleased = 0x44006E00;  // PROG_B in devcfg's CTRL

constexpr off_t kBeyondKernel = 512 << 20;  // where mem=512M ends

int failures = 0;

void check(bool right, const std::string& what) {
  std::printf("%s %s\n", right ? "ok    " : "FAILED", what.c_str());
  if (!right) ++failures;
}

void check_text(const std::string& what, const std::string& got, const std::string& wanted) {
  check(got == wanted, what + " is '" + got + "'" + (got == wanted ? "" : ", expected '" + wanted + "'"));
}

// A file of a line; what comes after a zero byte, as in the device tree, is left out.
std::string line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line.c_str();
}

int write_attribute(const std::string& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY);
  const int error = file < 0 || write(file, text.data(), text.size()) < 0 ? errno : 0;
  close(file);
  return error;
}

volatile uint32_t* map(int file, off_t offset, size_t size = kPage) {
  void* words = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, offset);
  if (file >= 0 && words != MAP_FAILED) return static_cast<volatile uint32_t*>(words);
  std::perror("FAILED cannot map device memory");
  std::exit(1);
}

volatile uint32_t* map_physical(off_t address) {
  return map(open("/dev/mem", O_RDWR | O_SYNC), address);
}

void check_load(const std::string& bitstream, const std::string& flags, int wanted_error,
                const std::string& wanted_state) {
  write_attribute(kManager + "flags", flags);
  const int error = write_attribute(kManager + "firmware", bitstream + ".bin");
  check_text(bitstream + " with flags " + flags, std::to_string(error) + ", " + line_of(kManager + "state"),
             std::to_string(wanted_error) + ", " + wanted_state);
}

void check_bitstreams() {
  check_load("good", "0", 0, "operating");
  check_load("wrong_order", "0", EINVAL, "write init error");
  check_load("bit_file", "0", EINVAL, "write init error");
  check_load("no_sync", "0", EINVAL, "write init error");
  check_load("half", "0", ETIMEDOUT, "write complete error");
  check_load("odd_length", "0", EINVAL, "write error");
  check_load("short", "0", EFAULT, "parse header error");
  check_load("empty", "0", EINVAL, "firmware request error");
  check_load("other_part", "0", ETIMEDOUT, "write complete error");
  check_load("absent", "0", ENOENT, "firmware request error");
  check_load("good_crc", "0", 0, "operating");
  // For a partial bitstream the kernel neither looks for the sync word nor resets the PL.
  check_load("good", "1", 0, "operating");
  check_load("wrong_order", "1", 0, "operating");
  // After a wrong CRC the kernel waits for INIT before it would pull PROG_B, which alone brings INIT back.
  check_load("bad_crc", "0", ETIMEDOUT, "write complete error");
  check_load("good", "0", ETIMEDOUT, "write init error");
  volatile uint32_t* devcfg = map_physical(kDevcfg);
  devcfg[0] = kPulled;
  devcfg[0] = kReleased;
  check_load("good", "0", 0, "operating");
}

void check_registers(volatile uint32_t* block) {
  check(block[kId] == kIdValue, "the block says who it is");
  const uint32_t reads = block[kReads];
  check(block[kReads] == reads + 1, "every read of a register reaches the block once");
  block[kData] = 0x12345678;
  block[kStart] = 1;
  const uint32_t status = block[kStatus];
  check(status == ~0x12345678u && block[kStatus] == 0, "registers with side effects");
}

void check_interrupt(int uio, volatile uint32_t* block) {
  uint32_t number = 1;
  pollfd interrupt{.fd = uio, .events = POLLIN, .revents = 0};
  const bool enabled = write(uio, &number, sizeof number) == sizeof number;
  check(enabled && poll(&interrupt, 1, 0) == 0, "no interrupt before its time");
  block[kInterrupt] = 1;
  check(poll(&interrupt, 1, 3000) == 1 && read(uio, &number, sizeof number) == sizeof number,
        "the block's interrupt arrives");
  block[kInterrupt] = 0;
}

// The block reads and writes physical memory that the guest sees at `words`.
void check_master(volatile uint32_t* block, volatile uint32_t* words, uint32_t physical, const std::string& where) {
  words[0] = 0x0F1E2D3C;
  words[1] = 0x01020304;
  block[kInvert] = physical;
  check(words[0] == ~0x0F1E2D3Cu && words[1] == 0x01020304, "the block reads and writes memory " + where);
}

// The physical pages that this process sees at `address`.
std::vector<uint64_t> frames_of(volatile uint32_t* address, size_t pages) {
  std::vector<uint64_t> entries(pages);
  const int pagemap = open("/proc/self/pagemap", O_RDONLY);
  const size_t size = pages * sizeof entries[0];
  const off_t at = static_cast<off_t>(reinterpret_cast<uintptr_t>(address) / kPage * sizeof entries[0]);
  if (pread(pagemap, entries.data(), size, at) != static_cast<ssize_t>(size)) return {};
  close(pagemap);
  for (uint64_t& entry : entries) entry = entry >> 63 != 0 ? entry & ((uint64_t{1} << 55) - 1) : 0;
  return entries;
}

void check_heap(const std::string& heap, volatile uint32_t* block) {
  constexpr size_t kSize = 1 << 20;
  dma_heap_allocation_data allocation{.len = kSize, .fd = 0, .fd_flags = O_RDWR | O_CLOEXEC, .heap_flags = 0};
  const int device = open(heap.c_str(), O_RDONLY | O_CLOEXEC);
  if (ioctl(device, DMA_HEAP_IOCTL_ALLOC, &allocation) != 0) {
    check(false, heap + " gives 1 MB");
    return;
  }
  volatile uint32_t* words = map(static_cast<int>(allocation.fd), 0, kSize);
  for (size_t at = 0; at < kSize; at += kPage) words[at / sizeof words[0]] = 1;
  const std::vector<uint64_t> frames = frames_of(words, kSize / kPage);
  bool consecutive = !frames.empty() && frames[0] != 0;
  for (size_t i = 1; i < frames.size(); ++i) consecutive = consecutive && frames[i] == frames[0] + i;
  check(consecutive, heap + " gives 1 MB of consecutive pages, says /proc/self/pagemap");
  if (consecutive) check_master(block, words, static_cast<uint32_t>(frames[0] * kPage), "of " + heap);
}

// The kernel has what the C and C++ libraries for armhf call.
void check_threads() {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::unique_lock lock(mutex);
  const bool waited = !changed.wait_for(lock, std::chrono::milliseconds(10), [&] { return done; });
  std::jthread thread([&] {
    const std::lock_guard held(mutex);
    done = true;
    changed.notify_one();
  });
  check(waited && changed.wait_for(lock, std::chrono::seconds(10), [&] { return done; }),
        "threads wait for each other");
  lock.unlock();
}

}  // namespace

int main() {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  check_threads();
  const std::string tree = "/proc/device-tree/";
  check_text("model", line_of(tree + "model"), "Avnet ZedBoard board");
  check_text("compatible", line_of(tree + "compatible"), "avnet,zynq-zed");
  check_text("fpga_manager", line_of(kManager + "name"), "Xilinx Zynq FPGA Manager");
  check_text("uio0", line_of(kUio + "name"), "vta");
  check_text("its address", line_of(kUio + "maps/map0/addr"), "0x43c00000");
  check_text("its size", line_of(kUio + "maps/map0/size"), "0x00010000");

  const int uio = open("/dev/uio0", O_RDWR | O_SYNC);
  volatile uint32_t* block = map(uio, 0);
  check(block[kId] == 0, "the PL reads as 0 before it is programmed");
  check_bitstreams();
  check_registers(block);
  check_registers(map_physical(0x43C00000));
  check_interrupt(uio, block);

  check_master(block, map_physical(kBeyondKernel), kBeyondKernel, "beyond the kernel's");
  check_heap("/dev/dma_heap/reserved", block);

  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
