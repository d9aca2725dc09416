// Rights that a server of many clients had better not have.
#pragma once

#include <string>

namespace vantage::rpc {

// From now on this process and what it starts are of this user, for good, with his groups and his home. Throws Error
// when there is no such user, and when this process may not become him.
void become_user(const std::string& name);

// Whether this process may do what root may.
bool is_root();

}  // namespace vantage::rpc
