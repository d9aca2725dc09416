// Printed IR beside the code that makes it, compared by LLVM's FileCheck:
//
//   // CHECK-LABEL: == split
//   // CHECK-NEXT: ...
//   IR_CASE(split) {
//     ...
//     return to_text(s.function());
//   }
//
// Each file of such cases is a program that prints all of them. VANTAGE_UPDATE_GOLDEN=1 writes the CHECK lines anew,
// to be read before they are committed.
#pragma once

#include <functional>
#include <string>

namespace vantage::test {

struct IrCase {
  IrCase(std::string name, std::function<std::string()> text);
};

}  // namespace vantage::test

#define IR_CASE(name)                                                       \
  static std::string ir_case_##name();                                      \
  static const ::vantage::test::IrCase kCase_##name(#name, ir_case_##name); \
  static std::string ir_case_##name()
