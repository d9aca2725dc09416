// Pieces of work by several threads at once.
//
// Thread safety: a function without state.
#pragma once

#include <cstddef>
#include <functional>

namespace vantage {

// Calls work(i) of each i below `count`, up to `threads` at a time, the calling one among them; 0: as many as there are
// processor cores. They are begun in order. When one throws, no other is begun; once those that run have ended, the
// error of the lowest i is thrown, which is the same one whatever `threads` is.
void in_parallel(size_t count, size_t threads, const std::function<void(size_t)>& work);

}  // namespace vantage
