// The threads that compiled functions run their parallel loops on, and the memory of their temporary values.
#pragma once

#include <memory>

#include "native/abi.h"

namespace vantage::native {

// A pool of at most this number of threads, the caller's included; more than the processor has only while no pool with
// fewer exists. A parallel loop inside of another runs on the thread that
// it is in, so there are never more.
//
// Thread safety: functions may run on one pool from several threads at once; they share its threads.
class Workers {
 public:
  // 0: as many as this process may run on. Throws Error for a negative number or more than 1,024.
  explicit Workers(int threads = 0);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int threads() const;
  // Valid for as long as this object.
  const vantage_runtime* runtime() const { return &runtime_; }

 private:
  struct Pool;
  std::unique_ptr<Pool> pool_;
  vantage_runtime runtime_{};
};

}  // namespace vantage::native
