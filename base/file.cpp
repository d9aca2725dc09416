#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "base/error.h"

namespace vantage {

namespace fs = std::filesystem;

namespace {

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

std::string error_text() {
  return std::strerror(errno);
}

void refuse_directory(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) fail("{}: is a directory, expected a file", path.string());
}

// Devices and pipes (/dev/null, /dev/stdout) are written through; replacing them by a file would be a disaster.
bool is_device(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::is_other(status);
}

// Through a symbolic link, the file that it names is replaced, not the link, even where there is none yet.
fs::path behind_links(fs::path path) {
  constexpr int kMaxLinks = 40;
  std::error_code error;
  for (int i = 0; i < kMaxLinks && fs::is_symlink(path, error); ++i) {
    path = path.parent_path() / fs::read_symlink(path, error);
  }
  return path;
}

// What a signal must not leave behind.
class Temporaries {
 public:
  static Temporaries& all() {
    static Temporaries* temporaries = new Temporaries;  // outlives every other object
    return *temporaries;
  }
  void add(const fs::path& path) {
    const std::lock_guard lock(mutex_);
    paths_.insert(path);
  }
  void forget(const fs::path& path) {
    const std::lock_guard lock(mutex_);
    paths_.erase(path);
  }
  void remove() {
    const std::lock_guard lock(mutex_);
    std::error_code ignored;
    for (const fs::path& path : paths_) fs::remove_all(path, ignored);
  }

 private:
  std::mutex mutex_;
  std::set<fs::path> paths_;
};

// What the first signal calls instead of ending the program.
class SignalAction {
 public:
  static SignalAction& get() {
    static SignalAction* action = new SignalAction;  // outlives every other object
    return *action;
  }
  void set(std::function<void()> action) {
    const std::lock_guard lock(mutex_);
    action_ = std::move(action);
  }
  // False when there is none, or it has been called.
  bool call() {
    const std::lock_guard lock(mutex_);
    const auto action = std::exchange(action_, nullptr);
    if (action) action();
    return static_cast<bool>(action);
  }

 private:
  std::mutex mutex_;
  std::function<void()> action_;
};

// A new folder named `prefix`.XXXXXX, noted as temporary.
fs::path make_temporary_folder(const fs::path& prefix) {
  std::string name = prefix.string() + ".XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) fail("{}: cannot be created: {}", name, error_text());
  Temporaries::all().add(name);
  return name;
}

void remove_temporary_folder(const fs::path& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
  Temporaries::all().forget(path);
}

bool write_all(int fd, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t put = ::write(fd, contents.data(), contents.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    contents.remove_prefix(static_cast<size_t>(put));
  }
  return true;
}

}  // namespace

std::string read_file(const fs::path& path, Bytes limit) {
  refuse_directory(path);
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail("{}: cannot be read: {}", path.string(), error_text());
  std::string contents;
  constexpr size_t kChunk = 1 << 16;
  while (true) {
    const size_t old_size = contents.size();
    contents.resize(old_size + kChunk);
    const ssize_t got = ::read(file.get(), contents.data() + old_size, kChunk);
    if (got < 0 && errno == EINTR) {
      contents.resize(old_size);
      continue;
    }
    if (got < 0) fail("{}: cannot be read: {}", path.string(), error_text());
    contents.resize(old_size + static_cast<size_t>(got));
    if (got == 0) return contents;
    if (contents.size() > limit.count()) {
      fail("{}: larger than the {} bytes that such a file may have", path.string(), limit.count());
    }
  }
}

std::string read_gzip_prefix(const fs::path& path, Bytes size) {
  refuse_directory(path);
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rbe"), gzclose);
  if (!file) fail("{}: cannot be read: {}", path.string(), error_text());
  std::string contents;
  while (contents.size() < size.count()) {
    constexpr size_t kChunk = 1 << 16;
    const size_t old_size = contents.size();
    const size_t wanted = std::min<size_t>(kChunk, size.count() - old_size);
    contents.resize(old_size + wanted);
    const int got = gzread(file.get(), contents.data() + old_size, static_cast<unsigned>(wanted));
    int code = Z_OK;
    const char* text = gzerror(file.get(), &code);
    if (got < 0 || (code != Z_OK && code != Z_STREAM_END)) {
      fail("{}: damaged gzip file: {}", path.string(), code == Z_BUF_ERROR ? "it ends too early" : text);
    }
    contents.resize(old_size + static_cast<size_t>(got));
    if (got == 0) break;
  }
  return contents;
}

std::string read_gzip_file(const fs::path& path, Bytes limit) {
  std::string contents = read_gzip_prefix(path, limit + Bytes(1));
  if (contents.size() > limit.count()) {
    fail("{}: unpacks to more than the {} bytes that such a file may have", path.string(), limit.count());
  }
  return contents;
}

void require_writable(const fs::path& path) {
  if (is_device(path)) return;
  refuse_directory(path);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    fail("{}: cannot be written: the folder {} does not exist; create it first", path.string(), folder.string());
  }
  if (::access(folder.c_str(), W_OK) != 0) {
    fail("{}: cannot be written: folder {}: {}", path.string(), folder.string(), error_text());
  }
}

void require_new_directory(const fs::path& path) {
  std::error_code ignored;
  if (fs::exists(path, ignored)) {
    fail("{}: exists already and is not overwritten; name another directory or remove it", path.string());
  }
  require_writable(path.has_filename() ? path : path.parent_path());  // "DIR/" names DIR
}

void write_file(const fs::path& path, std::string_view contents) {
  if (is_device(path)) {
    const FileDescriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (device.get() < 0 || !write_all(device.get(), contents)) {
      fail("{}: cannot be written: {}", path.string(), error_text());
    }
    return;
  }
  require_writable(path);
  const fs::path target = behind_links(path);
  struct stat old {};
  const bool replaces = ::stat(target.c_str(), &old) == 0;
  if (replaces && ::access(target.c_str(), W_OK) != 0) fail("{}: cannot be written: {}", path.string(), error_text());

  std::string temporary = target.string() + ".XXXXXX";
  const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) fail("{}: cannot be written: {}", path.string(), error_text());
  Temporaries::all().add(temporary);
  // mkostemp makes files that only the owner may read; give what was there, or what a plain open() would have given.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const mode_t mode = replaces ? old.st_mode & 07777 : 0666 & ~mask;
  bool ok = write_all(file, contents) && ::fchmod(file, mode) == 0;
  int why = errno;
  if (::close(file) != 0 && ok) {
    ok = false;
    why = errno;
  }
  if (ok && ::rename(temporary.c_str(), target.c_str()) != 0) {
    ok = false;
    why = errno;
  }
  if (!ok) ::unlink(temporary.c_str());
  Temporaries::all().forget(temporary);
  if (ok) return;
  fail("{}: cannot be written: {}", path.string(), std::strerror(why));
}

TemporaryDirectory::TemporaryDirectory() : TemporaryDirectory(fs::temp_directory_path() / "vantage") {}

TemporaryDirectory::TemporaryDirectory(const fs::path& beside) : path_(make_temporary_folder(beside)) {}

TemporaryDirectory::~TemporaryDirectory() {
  remove_temporary_folder(path_);
}

void require_new_file(const fs::path& path) {
  if (is_device(path)) fail("{}: is a device, expected a file's name", path.string());
  require_writable(path);
}

NewFile::NewFile(const fs::path& target)
    : target_((require_new_file(target), behind_links(target))), folder_(target_), path_(folder_.path() / "file") {}

void NewFile::commit() {
  if (::rename(path_.c_str(), target_.c_str()) != 0) {
    fail("{}: cannot be written: {}", target_.string(), error_text());
  }
}

void remove_temporaries_on_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    // One that is ignored, as under nohup, stays so
    if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) sigaddset(&signals, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals] {
    int signal = 0;
    do {
      if (::sigwait(&signals, &signal) != 0) return;
    } while (SignalAction::get().call());
    Temporaries::all().remove();
    ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    ::kill(::getpid(), signal);
  }).detach();
}

StopOnSignal::StopOnSignal(std::function<void()> stop) {
  SignalAction::get().set(std::move(stop));
}

StopOnSignal::~StopOnSignal() {
  SignalAction::get().set(nullptr);
}

NewDirectory::NewDirectory(const fs::path& target) : target_(target.has_filename() ? target : target.parent_path()) {
  require_new_directory(target);
  temporary_ = make_temporary_folder(target_);
}

NewDirectory::~NewDirectory() {
  if (!temporary_.empty()) remove_temporary_folder(temporary_);
}

void NewDirectory::commit() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (::chmod(temporary_.c_str(), 0777 & ~mask) != 0 || ::rename(temporary_.c_str(), target_.c_str()) != 0) {
    fail("{}: cannot be created: {}", target_.string(), error_text());
  }
  Temporaries::all().forget(temporary_);
  temporary_.clear();
}

std::string gzip(std::string_view contents) {
  z_stream stream{};
  constexpr int kGzipWindow = 15 + 16;  // zlib: 16 more than the window bits asks for a gzip header
  VANTAGE_CHECK(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  VANTAGE_CHECK(contents.size() <= UINT32_MAX);  // avail_in is 32 bits wide; bundles describe a 32-bit space
  std::string packed(deflateBound(&stream, contents.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(contents.data()));
  stream.avail_in = static_cast<uInt>(contents.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int code = deflate(&stream, Z_FINISH);
  deflateEnd(&stream);
  VANTAGE_CHECK(code == Z_STREAM_END);
  packed.resize(stream.total_out);
  return packed;
}

}  // namespace vantage
