#include "compiler/backend/cuda/passes/races.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/ir/thread_axes.h"

namespace vantage::cuda {

using namespace ir;

namespace {

bool meet(const Access& a, const Access& b, const std::vector<BoundVar>& among, const std::vector<BoundVar>& fixed,
          int64_t& budget) {
  if (!may_meet(a, b, among, fixed)) return false;
  const auto [x, y] = as_pair(a, b);
  return !tried_apart(x, y, among, fixed, budget);
}

// An access that two of them may make to one element, one at least writing; null: there is none.
const Access* find_race(const std::vector<Access>& accesses, const std::vector<BoundVar>& among,
                        const std::vector<BoundVar>& fixed, int64_t& budget) {
  for (size_t i = 0; i < accesses.size(); ++i) {
    for (size_t j = i; j < accesses.size(); ++j) {
      if (meet(accesses[i], accesses[j], among, fixed, budget)) return &accesses[i];
    }
  }
  return nullptr;
}

// What to do about threads that touch the same.
std::string remedy(const Access& access) {
  if (!is_shared(access.buffer->scope)) return "give each thread its own elements";
  return "give each thread its own elements: bind loops that fill shared memory to the threads' indices, and set its "
         "scope before compute_at";
}

}  // namespace

bool may_meet(const Access& a, const Access& b, const std::vector<BoundVar>& among,
              const std::vector<BoundVar>& fixed) {
  if (a.buffer != b.buffer || (!a.is_write && !b.is_write)) return false;
  const auto [x, y] = as_pair(a, b);
  return !touch_apart(x, y, among, fixed);
}

void require_blocks_apart(const std::vector<Access>& accesses, const std::vector<BoundVar>& blocks,
                          const std::string& loop, int64_t& budget) {
  std::vector<Access> common;
  for (const Access& access : accesses) {
    if (!is_shared(access.buffer->scope)) common.push_back(access);
  }
  const Access* race = find_race(common, blocks, {}, budget);
  if (race == nullptr) return;
  fail(
      "several blocks of the kernel of the loop {} may touch the same element of {}, and write it; blocks cannot wait "
      "for each other: give each its own elements, or make another kernel",
      loop, race->buffer->name);
}

void require_one_updates(const std::vector<Access>& accesses, const std::vector<BoundVar>& threads,
                         const std::vector<BoundVar>& fixed, const std::string& loop, int64_t& budget) {
  for (const Access& access : accesses) {
    if (!access.is_update || !meet(access, access, threads, fixed, budget)) continue;
    fail(
        "several threads of the kernel of the loop {} may update the same element of {}, so that it holds something "
        "more than once; {}",
        loop, access.buffer->name, remedy(access));
  }
}

void require_threads_apart(const std::vector<Access>& accesses, const std::vector<BoundVar>& threads,
                           const std::vector<BoundVar>& fixed, const std::string& loop, int64_t& budget) {
  const Access* race = find_race(accesses, threads, fixed, budget);
  if (race == nullptr) return;
  fail(
      "several threads of the kernel of the loop {} may touch the same element of {} at the same time, and write it; "
      "{}",
      loop, race->buffer->name, remedy(*race));
}

}  // namespace vantage::cuda
