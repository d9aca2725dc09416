#include "driver/boards/system.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <thread>

#include "base/error.h"

namespace vantage::boards {

namespace fs = std::filesystem;

namespace {

constexpr size_t kLargestAttribute = 4096;  // a page, by the kernel's rule

// Between registers, which are device memory, and what a device reads and writes by itself, which is normal memory: an
// order among processors is not enough, what was written must have arrived.
void barrier() {
#if defined(__arm__) || defined(__aarch64__)
  __asm__ volatile("dsb sy" ::: "memory");
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace

std::string text_of(int error) {
  return std::generic_category().message(error);
}

System::~System() {
  // A core may still write into this memory, so nobody else may have it: it is the kernel's to free.
  for (std::shared_ptr<void>& memory : kept_) static_cast<void>(new std::shared_ptr<void>(std::move(memory)));
}

fs::path System::host_path(const fs::path& path) const {
  return root_ / path.relative_path();
}

ssize_t System::read(int file, void* bytes, size_t size) {
  return ::read(file, bytes, size);
}

ssize_t System::read_at(int file, void* bytes, size_t size, uint64_t offset) {
  return ::pread(file, bytes, size, static_cast<off_t>(offset));
}

int System::status(int file, struct ::stat& status) {
  return ::fstat(file, &status);
}

int System::lock(int file) {
  return ::flock(file, LOCK_EX | LOCK_NB);
}

int System::ioctl(int file, unsigned long request, void* argument) {
  return ::ioctl(file, request, argument);
}

void* System::map(int file, Bytes size, uint64_t offset) {
  void* mapping = ::mmap(nullptr, size.count(), PROT_READ | PROT_WRITE, MAP_SHARED, file, static_cast<off_t>(offset));
  return mapping == MAP_FAILED ? nullptr : mapping;
}

int System::unmap(void* mapping, Bytes size) {
  return ::munmap(mapping, size.count());
}

int System::poll(int file, std::chrono::milliseconds timeout) {
  pollfd entry{file, POLLIN, 0};
  return ::poll(&entry, 1, static_cast<int>(timeout.count()));
}

uint32_t System::load(const volatile uint32_t* address) {
  barrier();
  const uint32_t value = *address;
  barrier();
  return value;
}

void System::store(volatile uint32_t* address, uint32_t value) {
  barrier();
  *address = value;
  barrier();
}

void* System::library(const std::string& name) {
  return ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
}

std::string System::library_error() {
  const char* const error = ::dlerror();
  return error == nullptr ? "it was not looked for" : error;
}

void* System::symbol(void* library, const std::string& name) {
  return ::dlsym(library, name.c_str());
}

bool System::make_folders(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(host_path(folder), error);
  errno = error.value();
  return !error;
}

bool System::exists(const fs::path& path) const {
  std::error_code error;
  return fs::exists(host_path(path), error);
}

std::vector<std::string> System::list(const fs::path& folder) const {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(host_path(folder), error)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void System::sleep(std::chrono::microseconds time) const {
  std::this_thread::sleep_for(time);
}

File::File(System& system, fs::path path, int flags, unsigned mode)
    : system_(system), path_(std::move(path)), file_(system.open(path_, flags, mode)) {
  if (file_ < 0) fail("{}: cannot be opened: {}", path_.string(), text_of(errno));
}

File::~File() {
  if (file_ >= 0) system_.close(file_);
}

void File::close() {
  if (system_.close(std::exchange(file_, -1)) != 0) fail("{}: cannot be written: {}", path_.string(), text_of(errno));
}

Mapping::Mapping(System& system, int file, const fs::path& name, Bytes size, uint64_t offset)
    : system_(system), size_(size), address_(system.map(file, size, offset)) {
  if (address_ == nullptr) {
    fail("{}: {} bytes at 0x{:x} cannot be mapped: {}", name.string(), size.count(), offset, text_of(errno));
  }
}

Mapping::~Mapping() {
  system_.unmap(address_, size_);
}

std::string read_attribute(System& system, const fs::path& path) {
  const File file(system, path, O_RDONLY);
  std::array<char, kLargestAttribute> bytes{};
  ssize_t size = -1;
  do {
    size = system.read(file.get(), bytes.data(), bytes.size());
  } while (size < 0 && errno == EINTR);
  if (size < 0) fail("{}: cannot be read: {}", path.string(), text_of(errno));
  std::string text(bytes.data(), static_cast<size_t>(size));
  text.resize(text.find_last_not_of(std::string_view("\n\0 ", 3)) + 1);
  return text;
}

int write_attribute(System& system, const fs::path& path, std::string_view text) {
  const File file(system, path, O_WRONLY);
  const ssize_t size = system.write(file.get(), text.data(), text.size());
  if (size < 0) return errno;
  if (static_cast<size_t>(size) != text.size()) {
    fail("{}: the kernel took {} of {} bytes", path.string(), size, text.size());
  }
  return 0;
}

uint64_t read_number(System& system, const fs::path& path) {
  const std::string text = read_attribute(system, path);
  const bool hexadecimal = text.starts_with("0x");
  const char* first = text.data() + (hexadecimal ? 2 : 0);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(first, text.data() + text.size(), value, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) {
    fail("{}: holds '{}', expected a number", path.string(), text);
  }
  return value;
}

void put_file(System& system, const fs::path& path, std::string_view contents) {
  if (!system.exists(path.parent_path()) && !system.make_folders(path.parent_path())) {
    fail("{}: cannot be made: {}", path.parent_path().string(), text_of(errno));
  }
  // Where the last version lies, if the power went then: one file of such a size, not one more each time.
  const Replacement how{.temporary = path.string() + ".new", .mode = 0644, .to_disk = true};
  replace_file(system, path, contents, how);
}

void write_whole(System& system, const fs::path& path, std::string_view contents) {
  File file(system, path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  write_all(system, file.get(), path, contents);
  file.close();
}

std::string read_whole(System& system, const fs::path& path) {
  constexpr size_t kLimit = size_t{64} << 20;
  const File file(system, path, O_RDONLY);
  std::string contents;
  std::array<char, 1 << 16> piece{};
  for (;;) {
    const ssize_t size = system.read(file.get(), piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) fail("{}: cannot be read: {}", path.string(), text_of(errno));
    if (size == 0) return contents;
    contents.append(piece.data(), static_cast<size_t>(size));
    if (contents.size() > kLimit) fail("{}: is larger than {} bytes", path.string(), kLimit);
  }
}

}  // namespace vantage::boards
