// Copies that run beside a thread, on a processor: as late as they may, when the thread waits for them.
#pragma once

#include <cstring>
#include <deque>

#include "tests/compiler/backend/cuda/shim/cuda_on_processor.h"

namespace shim {

struct Copy {
  void* to;
  const void* from;  // null: zeros
  int bytes;
};
// Of each thread, the groups that are under way and, last, the one that is not committed yet.
inline std::vector<std::deque<std::vector<Copy>>>& groups() {
  static std::vector<std::deque<std::vector<Copy>>> all;
  if (all.size() < threads.size()) all.resize(threads.size());
  return all;
}
inline std::deque<std::vector<Copy>>& own_groups() {
  auto& own = groups()[running];
  if (own.empty()) own.emplace_back();
  return own;
}

}  // namespace shim

namespace vt {

template <int bytes>
void copy_async(void* to, const void* from, bool holds = true) {
  shim::own_groups().back().push_back({to, holds ? from : nullptr, bytes});
}
inline void commit_copies() {
  shim::own_groups().emplace_back();
}
template <int count>
void wait_copies() {
  auto& own = shim::own_groups();
  while (own.size() > count + 1) {
    for (const shim::Copy& copy : own.front()) {
      if (copy.from != nullptr) {
        std::memcpy(copy.to, copy.from, copy.bytes);
      } else {
        std::memset(copy.to, 0, copy.bytes);
      }
    }
    own.pop_front();
  }
}

}  // namespace vt
