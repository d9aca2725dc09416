#include "compiler/ir/call_extern.h"

#include "base/error.h"
#include "compiler/ir/intrinsics.h"
#include "compiler/ir/printer.h"

namespace vantage::ir {

namespace {

Expr view(const Buffer& buffer, std::vector<Range> box, Touch touch) {
  VANTAGE_CHECK(buffer != nullptr);
  if (box.empty()) {
    for (const Expr& size : buffer->shape) box.push_back({make_zero(size.dtype()), size});
  }
  if (box.size() != buffer->rank()) {
    fail("{} has {} dimensions, but a box of it has {}", buffer->name, buffer->rank(), box.size());
  }
  return Expr(std::make_shared<View>(buffer, std::move(box), touch));
}

void check_name(const std::string& name) {
  if (!is_identifier(name) || name.find('.') != std::string::npos) {
    fail("'{}' cannot name a function of the user's; use letters, digits and underscores", name);
  }
  if (find_intrinsic(name) != nullptr) fail("{} is an intrinsic; give the function of the user's another name", name);
}

Expr make_call(DType result, std::string name, std::vector<Expr> arguments) {
  check_name(name);
  return Expr(std::make_shared<Call>(result, std::move(name), std::move(arguments)));
}

}  // namespace

Expr reads(const Buffer& buffer, std::vector<Range> box) {
  return view(buffer, std::move(box), Touch::kRead);
}
Expr writes(const Buffer& buffer, std::vector<Range> box) {
  return view(buffer, std::move(box), Touch::kWrite);
}
Expr updates(const Buffer& buffer, std::vector<Range> box) {
  return view(buffer, std::move(box), Touch::kReadWrite);
}

Expr call_pure_extern(DType result, std::string name, std::vector<Expr> arguments) {
  if (result.is_void()) fail("{} is called for its value, which has no type; call_extern is for effects", name);
  for (const Expr& argument : arguments) {
    const auto* box = argument.as<View>();
    if (box == nullptr || box->touch == Touch::kRead) continue;
    fail("{} writes {}, but is called for its value; call_extern is for effects", name, to_text(argument));
  }
  return make_call(result, std::move(name), std::move(arguments));
}

Stmt call_extern(std::string name, std::vector<Expr> arguments) {
  return evaluate(make_call(kVoid, std::move(name), std::move(arguments)));
}

bool is_extern(const Call& call) {
  return call.function.find('.') == std::string::npos && find_intrinsic(call.function) == nullptr;
}

}  // namespace vantage::ir
