// Contents by their hash, in files: what many sessions want is sent once, and an upload that was cut off goes on where
// it ended, in another session or after the server was started again.
//
// Error is for what callers can mend, ServerError for what the server's own disk does.
//
// Thread safety: all members may be called from several threads at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>

#include "base/open_file.h"
#include "base/sha256.h"
#include "base/units.h"

namespace vantage::rpc {

class ContentStore {
 public:
  // Keeps up to `limit` bytes in `folder`, which is made when there is none; what has not been used for longest goes
  // first. Throws Error when the folder cannot be used.
  ContentStore(std::filesystem::path folder, Bytes limit);

  struct Status {
    uint64_t received = 0;  // of the first bytes
    bool complete = false;
  };
  // What is there of a content of `size` bytes. Throws Error, like put() and read(), for what is no SHA-256 as 64
  // lower-case hexadecimal digits.
  Status find(const std::string& sha256, uint64_t size) const;

  // Takes a content in, piece by piece; what has come stays when this is destroyed before the end. One at a time may
  // take in a content.
  class Upload {
   public:
    Upload(const Upload&) = delete;
    Upload& operator=(const Upload&) = delete;
    ~Upload();

    // Throws Error when more comes than was announced.
    void append(std::string_view bytes);
    // Throws Error, and forgets what came, when all is there but does not have the hash.
    Status finish();

   private:
    friend class ContentStore;
    Upload(ContentStore& store, std::string sha256, uint64_t size, uint64_t offset);

    void make_room_for(uint64_t bytes);

    ContentStore& store_;
    std::string sha256_;
    uint64_t size_, received_;
    uint64_t room_;  // up to here there is
    Sha256 hash_;
    OpenFile file_;
  };
  // Throws Error when `offset` is not where the content ends so far, when it is larger than the store, or than what
  // uploads that are under way may leave of it, or when another upload of it is under way. What is kept makes room when
  // bytes come, not when they are announced.
  Upload put(const std::string& sha256, uint64_t size, uint64_t offset);

  // Calls `take` with piece after piece of a complete content. Throws Error when there is none; also at the end, when
  // the bytes did not have the hash any more: then it is removed, and what was taken is void.
  void read(const std::string& sha256, const std::function<void(std::span<const std::byte>)>& take);

 private:
  std::filesystem::path path_of(const std::string& sha256, bool complete) const;
  // Until there is room for so many bytes more.
  void make_room(uint64_t bytes);

  const std::filesystem::path folder_;
  const uint64_t limit_;
  std::mutex mutex_;
  struct Announced {
    uint64_t size;      // that it will have
    uint64_t received;  // of it
  };
  std::map<std::string, Announced> uploading_;
};

}  // namespace vantage::rpc
