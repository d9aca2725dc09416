// Taking from this process what code of strangers must not have.
#pragma once

namespace vantage::rpc {

// Whether this machine's kernel can; one that is emulated may not.
bool can_confine();

// From here on no thread of this process can open a file, make a socket, start a program, have a signal sent to another
// process or change what it may do: such system calls fail. It computes on what it has, talks over the files of a
// workspace (workspace_host.h), which alone stay open, and loads libraries that lie in its own memory
// (base/shared_library.h). For good. Throws Error where the kernel cannot.
void confine_this_process();

}  // namespace vantage::rpc
