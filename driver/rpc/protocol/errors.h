// What a call fails with beside Error, which is for what its caller can mend.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "base/error.h"

namespace vantage::rpc {

// A quota is used up, or a limit of the server reached.
class QuotaError : public Error {
 public:
  using Error::Error;
};

// The session has ended.
class SessionOver : public Error {
 public:
  using Error::Error;
};

// The caller has given up, or was given up.
class CallCancelled : public Error {
 public:
  using Error::Error;
};

// The server could not do what it should. what() is for the caller; details() is for the server's log alone.
class ServerError : public std::runtime_error {
 public:
  ServerError(const std::string& message, std::string details)
      : std::runtime_error(message), details_(std::move(details)) {}
  const std::string& details() const { return details_; }

 private:
  std::string details_;
};

}  // namespace vantage::rpc
