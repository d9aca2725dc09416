// The system calls that reach a board, in one place: the driver's own tests put faults here, or a folder for the root.
//
// Thread safety: as the system calls'.
#pragma once

#include <sys/stat.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/replace_file.h"
#include "base/units.h"

namespace vantage::boards {

// What POSIX says of these calls, errno included. Paths are absolute, and looked up below the root. All that reaches
// one board in one process shares one.
class System : public FileCalls {
 public:
  explicit System(std::filesystem::path root = "/") : root_(std::move(root)) {}
  // What is still kept stays where it is until the process ends.
  ~System() override;

  virtual ssize_t read(int file, void* bytes, size_t size);
  virtual ssize_t read_at(int file, void* bytes, size_t size, uint64_t offset);
  virtual int status(int file, struct ::stat& status);
  virtual int lock(int file);  // for this open file alone; EWOULDBLOCK: another has it
  virtual int ioctl(int file, unsigned long request, void* argument);
  // Shared, for reading and writing; null when refused.
  virtual void* map(int file, Bytes size, uint64_t offset);
  virtual int unmap(void* mapping, Bytes size);
  // Above 0: there is something to read; 0: not within that time.
  virtual int poll(int file, std::chrono::milliseconds timeout);

  // A device's register in a mapping: one access, after all memory accesses that come before it in the program and
  // before all that come after.
  virtual uint32_t load(const volatile uint32_t* address);
  virtual void store(volatile uint32_t* address, uint32_t value);

  // A shared library of the system's, for as long as the process lives, and what it exports; null when there is none.
  virtual void* library(const std::string& name);
  virtual std::string library_error();  // why the last call of library() gave none
  virtual void* symbol(void* library, const std::string& name);

  virtual bool make_folders(const std::filesystem::path& folder);
  virtual bool exists(const std::filesystem::path& path) const;
  virtual std::vector<std::string> list(const std::filesystem::path& folder) const;  // names, sorted; empty: no folder

  // What a core may still use whose run was given up: kept until the FPGA was programmed, or the run is seen to have
  // ended. One thread at a time.
  void keep(std::shared_ptr<void> memory) { kept_.push_back(std::move(memory)); }
  bool keeps() const { return !kept_.empty(); }
  void release_kept() { kept_.clear(); }

  virtual std::chrono::steady_clock::time_point now() const { return std::chrono::steady_clock::now(); }
  virtual void sleep(std::chrono::microseconds time) const;

  std::filesystem::path host_path(const std::filesystem::path& path) const override;  // below the root

 private:
  std::filesystem::path root_;
  std::vector<std::shared_ptr<void>> kept_;
};

// An open file that is closed with the object.
class File {
 public:
  // Throws Error that names the file and what the system said.
  File(System& system, std::filesystem::path path, int flags, unsigned mode = 0);
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();

  int get() const { return file_; }
  const std::filesystem::path& path() const { return path_; }
  // Throws Error: what was written may be refused only now.
  void close();

 private:
  System& system_;
  const std::filesystem::path path_;
  int file_;
};

// Device memory or registers in this process's addresses, unmapped with the object.
class Mapping {
 public:
  // Throws Error that names the file, the place and what the system said.
  Mapping(System& system, const File& file, Bytes size, uint64_t offset)
      : Mapping(system, file.get(), file.path(), size, offset) {}
  Mapping(System& system, int file, const std::filesystem::path& name, Bytes size, uint64_t offset);
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping();

  std::byte* data() const { return static_cast<std::byte*>(address_); }
  Bytes size() const { return size_; }

 private:
  System& system_;
  Bytes size_;
  void* address_;
};

// What an errno means.
std::string text_of(int error);

// A kernel attribute's text without the line's end. Throws Error that names the file and what the system said.
std::string read_attribute(System& system, const std::filesystem::path& path);

// Writes an attribute with one call, as the kernel wants it: 0, or the errno with which it refused. Throws Error when
// it cannot be opened or took only a part.
int write_attribute(System& system, const std::filesystem::path& path, std::string_view text);

// The same for a number, decimal or hexadecimal with 0x; throws Error for other text.
uint64_t read_number(System& system, const std::filesystem::path& path);

// Puts a file in place, or what it holds anew, in one step (base/replace_file.h), which holds even after the power
// went; meanwhile it is written beside it, as PATH.new. Makes the folder that it lies in. Throws Error.
void put_file(System& system, const std::filesystem::path& path, std::string_view contents);

// Writes all of it into a file, whatever pieces the system takes: one that must stay what it is, as a device. Throws
// Error.
void write_whole(System& system, const std::filesystem::path& path, std::string_view contents);

// A file's contents, of at most 64 MiB. Throws Error.
std::string read_whole(System& system, const std::filesystem::path& path);

}  // namespace vantage::boards
