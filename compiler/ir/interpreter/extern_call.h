// Functions that a caller of the interpreter supplies: the instructions of a target, as C++.
//
//   options.externs["vta.add"] = [](ExternCall& call) {
//     const ExternView &dst = call.view(0), &src = call.view(1);
//     for (int64_t i = 0; i < dst.extents()[0]; ++i) dst.set({i}, {.i = src.get({i}).i + call.integer(2)});
//   };
//
// Thread safety: a call is one thread's, while it lasts.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "compiler/ir/expr.h"

namespace vantage::ir {

namespace interpreter {
class AccessChecker;
class Memory;
}  // namespace interpreter

// The box of a buffer that an argument names.
class ExternView {
 public:
  ExternView(const View& view, std::vector<int64_t> origin, std::vector<int64_t> extents, interpreter::Memory& memory,
             interpreter::AccessChecker& checker);

  const std::string& buffer_name() const;
  DType dtype() const;
  const std::string& scope() const;
  Touch touch() const;  // what it was made for
  // In elements of the buffer.
  const std::vector<int64_t>& origin() const { return origin_; }
  const std::vector<int64_t>& extents() const { return extents_; }

  // One index per dimension, counted from the origin; what is set is cut to the type. Throw Error outside the box, for
  // an element without a value, and for what the view was not made for (its Touch).
  Scalar get(std::span<const int64_t> index) const;
  Scalar get(std::initializer_list<int64_t> index) const { return get(std::span(index.begin(), index.size())); }
  void set(std::span<const int64_t> index, Scalar value) const;
  void set(std::initializer_list<int64_t> index, Scalar value) const {
    set(std::span(index.begin(), index.size()), value);
  }

 private:
  int64_t locate(std::span<const int64_t> index) const;
  std::vector<int64_t> in_buffer(std::span<const int64_t> index) const;

  const View* view_;
  std::vector<int64_t> origin_, extents_;
  interpreter::Memory* memory_;
  interpreter::AccessChecker* checker_;
};

class ExternCall {
 public:
  struct Number {
    DType dtype;
    Scalar value;
  };
  using Argument = std::variant<Number, std::string, ExternView>;

  ExternCall(const std::string& name, std::vector<Argument> arguments)
      : name_(name), arguments_(std::move(arguments)) {}

  const std::string& name() const { return name_; }
  size_t size() const { return arguments_.size(); }
  bool is_text(size_t i) const { return i < size() && std::holds_alternative<std::string>(arguments_[i]); }
  // Argument `i`. Throw Error when there is none or it is of another kind.
  int64_t integer(size_t i) const;  // an integer or a bool
  double number(size_t i) const;    // a float
  const std::string& text(size_t i) const;
  const ExternView& view(size_t i) const;

  // What a call with a value gives; zero unless set. It is cut to the call's type.
  void set_result(Scalar value) { result_ = value; }
  Scalar result() const { return result_; }

 private:
  template <typename T>
  const T& argument(size_t i, const char* expected) const;
  [[noreturn]] void misused(size_t i, const char* expected) const;

  const std::string& name_;
  std::vector<Argument> arguments_;
  Scalar result_ = {.i = 0};
};

using Extern = std::function<void(ExternCall&)>;

}  // namespace vantage::ir
