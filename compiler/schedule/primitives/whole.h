// Whether a block makes all of a buffer, from nothing.
#pragma once

#include <string_view>

#include "compiler/schedule/tree.h"

namespace vantage::schedule {

// Error, beginning with `primitive` and saying what `then` would happen, where a block may leave elements of the buffer
// as they were.
void require_makes_all(const PrimFunc& function, const Path& path, const Buffer& buffer, std::string_view primitive,
                       std::string_view then);

// Of a block that a copy of the buffer is to be filled by. Error, beginning with `primitive`, where a block may leave
// elements of the buffer as they were, or reads them.
void require_made_whole(const PrimFunc& function, const Path& path, const Buffer& buffer, std::string_view primitive);

}  // namespace vantage::schedule
