// The system calls that reach a board, in one place: the driver's own tests put faults here, or a folder for the root.
//
// Thread safety: as the system calls'.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace vantage::boards {

// What POSIX says of open, read, write and close, errno included. Paths are absolute, and looked up below the root.
class System {
 public:
  explicit System(std::filesystem::path root = "/") : root_(std::move(root)) {}
  virtual ~System() = default;

  virtual int open(const std::filesystem::path& path, int flags, unsigned mode = 0);
  virtual ssize_t read(int file, void* bytes, size_t size);
  virtual ssize_t write(int file, const void* bytes, size_t size);
  virtual int close(int file);

  virtual bool exists(const std::filesystem::path& path) const;
  virtual std::vector<std::string> list(const std::filesystem::path& folder) const;  // names, sorted; empty: no folder

  virtual std::chrono::steady_clock::time_point now() const { return std::chrono::steady_clock::now(); }
  virtual void sleep(std::chrono::milliseconds time) const;

 protected:
  std::filesystem::path below_root(const std::filesystem::path& path) const;

 private:
  std::filesystem::path root_;
};

// A kernel attribute's text without the line's end. Throws Error that names the file and what the system said.
std::string read_attribute(System& system, const std::filesystem::path& path);

// Writes an attribute with one call, as the kernel wants it: 0, or the errno with which it refused. Throws Error when
// it cannot be opened or took only a part.
int write_attribute(System& system, const std::filesystem::path& path, std::string_view text);

// Replaces a file's contents, whatever pieces the system takes. Throws Error.
void write_whole(System& system, const std::filesystem::path& path, std::string_view contents);

}  // namespace vantage::boards
