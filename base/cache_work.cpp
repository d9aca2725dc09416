#include "base/cache_work.h"

#include <utility>

#include "base/cache.h"
#include "base/error.h"

namespace vantage {

namespace fs = std::filesystem;

namespace {

fs::path lock_file(const fs::path& file) {
  make_cache_folder(file.parent_path());
  return fs::path(file) += ".lock";
}

}  // namespace

CacheWork::CacheWork(fs::path file, const std::function<void(const std::string&)>& tell)
    : folder_(fs::path(file) += ".work"), lock_(lock_file(file), tell) {}

CacheWork::~CacheWork() {
  remove_folder();
}

void CacheWork::remove_folder() {
  std::error_code ignored;
  if (removed_on_signal_) fs::remove_all(folder_, ignored);
  removed_on_signal_.reset();
}

fs::path CacheWork::new_folder() {
  std::error_code error;
  fs::remove_all(folder_, error);
  if (!error) fs::create_directory(folder_, error);
  if (error) fail("{}: cannot be made: {}", folder_.string(), error.message());
  removed_on_signal_.emplace(folder_);
  return folder_;
}

}  // namespace vantage
