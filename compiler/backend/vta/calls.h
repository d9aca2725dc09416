// The VTA's instructions as calls in the IR. Views of buffers of [elements][lanes] say what an instruction may touch;
// labels name the numbers behind them. An axis is a loop, outermost first: how often, and by how many elements each
// operand moves.
//
//   vta.load(dst, src, "rows", n, "columns", n, "stride", n, "pad", top, bottom, left, right)
//   vta.store(dst, src, "rows", n, "columns", n, "stride", n)
//   vta.gemm(acc, inp, wgt, "axis", n, acc, inp, wgt, ...)           acc += inp * wgt
//   vta.reset(acc, "axis", n, acc, ...)                              acc = 0
//   vta.alu(op, dst, src, "axis", n, dst, src, ...)                  dst = op(dst, src)
//   vta.alu(op, dst, "imm", value, "axis", n, dst, ...)
//   vta.turn()                                                       here another virtual thread may go on
//
// Before the loops around them are folded, gemm and reset have no axes and views of single elements.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "compiler/ir/parse_function.h"
#include "compiler/ir/stmt.h"
#include "hw/isa/insn.h"

namespace vantage::vta {

inline constexpr std::string_view kLoadCall = "vta.load";
inline constexpr std::string_view kStoreCall = "vta.store";
inline constexpr std::string_view kGemmCall = "vta.gemm";
inline constexpr std::string_view kResetCall = "vta.reset";
inline constexpr std::string_view kAluCall = "vta.alu";
inline constexpr std::string_view kTurnCall = "vta.turn";

// What each of them touches, for parsing (compiler/ir/parse_function.h).
const ir::CallTouches& call_touches();

// The call that a statement is; null when it is something else, or a call of another function if `function` is given.
const ir::Call* call_of(const ir::Stmt& stmt, std::string_view function = {});

ir::Expr view(const ir::Buffer& buffer, std::vector<ir::Range> box, ir::Touch touch);

// One loop of a compute instruction: how often, and how far each operand moves.
struct CallAxis {
  ir::Expr extent;
  std::vector<int64_t> steps;  // elements; one per operand
};

// A compute instruction taken apart and put together again. Operands are where their first elements are; the views of
// the call cover all that the axes reach.
struct ComputeCall {
  struct Operand {
    ir::Buffer buffer;
    ir::Expr element;
    ir::Touch touch = ir::Touch::kRead;
  };
  std::string_view function;  // kGemmCall, kResetCall or kAluCall
  isa::AluOp op = isa::AluOp::kAdd;
  std::optional<int64_t> immediate;
  std::vector<Operand> operands;
  std::vector<CallAxis> axes;

  static ComputeCall parse(const ir::Call& call);
  ir::Stmt to_stmt() const;
};

struct TransferCall {
  bool is_load = true;
  ir::Buffer dst, src;
  ir::Expr dst_element, src_element;
  ir::Expr rows, columns, stride;
  ir::Expr top = 0, bottom = 0, left = 0, right = 0;  // loads only

  static TransferCall parse(const ir::Call& call);
  ir::Stmt to_stmt() const;
};

}  // namespace vantage::vta
