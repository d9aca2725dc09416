// Something that was bound to addresses on a GPU, ready to be given to its stream as often as one likes: a program's
// launches (gpu_call.h), a call of one of NVIDIA's libraries (gpu_libraries.h), or several of these (joined_calls.h).
//
// Thread safety: none.
#pragma once

#include <string>

#include "driver/cuda/driver_api.h"

namespace vantage::driver {

class BoundCall {
 public:
  BoundCall() = default;
  BoundCall(const BoundCall&) = delete;
  BoundCall& operator=(const BoundCall&) = delete;
  virtual ~BoundCall() = default;

  // What runs (Gpu::Bound).
  virtual const std::string& code() const = 0;
  // For messages about what is seen only behind it: "the kernel NAME".
  virtual std::string what() const = 0;

  // Whether launch() may be given another stream than the one that it was bound for.
  virtual bool takes_any_stream() const { return true; }

  // What follows begins sooner when this was called.
  virtual void prepare(DriverApi::Stream stream) = 0;
  // Gives all of it to the stream and does not wait. Throws Error for what cannot be started.
  virtual void enqueue(DriverApi::Stream stream) = 0;
  // The same without what prepare() made, for a stream that is being captured.
  virtual void launch(DriverApi::Stream stream) = 0;
};

}  // namespace vantage::driver
