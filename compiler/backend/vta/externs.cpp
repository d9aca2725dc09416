#include "compiler/backend/vta/externs.h"

#include <array>

#include "base/error.h"
#include "compiler/backend/vta/calls.h"
#include "compiler/backend/vta/scopes.h"

namespace vantage::vta {

using ir::ExternCall;
using ir::ExternView;

namespace {

// A view as a row of lanes, whatever its rank.
class Lanes {
 public:
  explicit Lanes(const ExternView& view) : view_(view) {}
  int64_t get(int64_t lane) const { return view_.get(index(lane)).i; }
  void set(int64_t lane, int64_t value) const { view_.set(index(lane), {.i = value}); }

 private:
  std::vector<int64_t> index(int64_t lane) const {
    std::vector<int64_t> result(view_.extents().size());
    for (size_t d = result.size(); d-- > 0;) {
      result[d] = lane % view_.extents()[d];
      lane /= view_.extents()[d];
    }
    return result;
  }

  const ExternView& view_;
};

// Operands, then "axis" and numbers.
struct Nest {
  size_t operands;
  std::vector<std::vector<int64_t>> axes;  // extent, then a step per operand

  Nest(ExternCall& call, size_t first, size_t count) : operands(count) {
    for (size_t i = first; i < call.size(); i += operands + 2) {
      axes.emplace_back();
      for (size_t n = 1; n <= operands + 1; ++n) axes.back().push_back(call.integer(i + n));
    }
  }

  // Calls step with the element of each operand.
  template <typename Step>
  void run(const Step& step) const {
    run(step, 0, std::vector<int64_t>(operands, 0));
  }

 private:
  template <typename Step>
  void run(const Step& step, size_t axis, std::vector<int64_t> at) const {
    if (axis == axes.size()) return step(at);
    for (int64_t i = 0; i < axes[axis][0]; ++i) {
      run(step, axis + 1, at);
      for (size_t o = 0; o < operands; ++o) at[o] += axes[axis][o + 1];
    }
  }
};

void gemm(const isa::Config& config, ExternCall& call) {
  const Lanes acc(call.view(0)), inp(call.view(1)), wgt(call.view(2));
  const int64_t rows = config.batch(), depth = config.block_in(), columns = config.block_out();
  Nest(call, 3, 3).run([&](const std::vector<int64_t>& at) {
    for (int64_t b = 0; b < rows; ++b) {
      for (int64_t o = 0; o < columns; ++o) {
        const int64_t lane = (at[0] * rows + b) * columns + o;
        auto sum = static_cast<uint64_t>(acc.get(lane));
        for (int64_t i = 0; i < depth; ++i) {
          sum += static_cast<uint64_t>(inp.get((at[1] * rows + b) * depth + i) *
                                       wgt.get((at[2] * columns + o) * depth + i));
        }
        acc.set(lane, static_cast<int64_t>(sum));
      }
    }
  });
}

int64_t apply(isa::AluOp op, int64_t a, int64_t b, ir::DType type) {
  int64_t result = 0;
  const auto evaluate = [&](ir::BinaryOp o) { ir::evaluate_int(o, type, a, b, &result); };
  switch (op) {
    case isa::AluOp::kMin: evaluate(ir::BinaryOp::kMin); break;
    case isa::AluOp::kMax: evaluate(ir::BinaryOp::kMax); break;
    case isa::AluOp::kAdd: evaluate(ir::BinaryOp::kAdd); break;
    case isa::AluOp::kShr: evaluate(ir::BinaryOp::kShr); break;
    case isa::AluOp::kMul: evaluate(ir::BinaryOp::kMul); break;
  }
  return result;
}

void alu(const isa::Config& config, ExternCall& call) {
  const isa::AluOp op = isa::alu_op_from_name(call.text(0)).value();
  const int64_t lanes = config.batch() * config.block_out();
  const Lanes dst(call.view(1));
  const ir::DType type = call.view(1).dtype();
  const bool immediate = call.is_text(2) && call.text(2) == "imm";
  if (immediate) {
    Nest(call, 4, 1).run([&](const std::vector<int64_t>& at) {
      for (int64_t l = 0; l < lanes; ++l) {
        dst.set(at[0] * lanes + l, apply(op, dst.get(at[0] * lanes + l), call.integer(3), type));
      }
    });
    return;
  }
  const Lanes src(call.view(2));
  Nest(call, 3, 2).run([&](const std::vector<int64_t>& at) {
    for (int64_t l = 0; l < lanes; ++l) {
      dst.set(at[0] * lanes + l, apply(op, dst.get(at[0] * lanes + l), src.get(at[1] * lanes + l), type));
    }
  });
}

void reset(const isa::Config& config, ExternCall& call) {
  const int64_t lanes = config.batch() * config.block_out();
  const Lanes acc(call.view(0));
  Nest(call, 1, 1).run([&](const std::vector<int64_t>& at) {
    for (int64_t l = 0; l < lanes; ++l) acc.set(at[0] * lanes + l, 0);
  });
}

void transfer(ExternCall& call, bool is_load) {
  const ExternView &dst = call.view(0), &src = call.view(1);
  const int64_t rows = call.integer(3), columns = call.integer(5), stride = call.integer(7);
  const int64_t lanes = dst.extents().back();
  std::array<int64_t, 4> pad{};
  for (size_t i = 0; is_load && i < 4; ++i) pad[i] = call.integer(9 + i);
  const auto [top, bottom, left, right] = pad;
  if (rows <= 0 || columns <= 0) return;  // nothing moves, not even zeros
  const int64_t width = left + columns + right;
  for (int64_t y = 0; y < top + rows + bottom; ++y) {
    for (int64_t x = 0; x < width; ++x) {
      const bool inside = y >= top && y < top + rows && x >= left && x < left + columns;
      const int64_t in_dram = (y - top) * stride + x - left, in_scratchpad = y * width + x;
      for (int64_t l = 0; l < lanes; ++l) {
        if (is_load) {
          dst.set({in_scratchpad, l}, inside ? src.get({in_dram, l}) : ir::Scalar{.i = 0});
        } else {
          dst.set({in_dram, l}, src.get({in_scratchpad, l}));
        }
      }
    }
  }
}

}  // namespace

std::map<std::string, ir::Extern, std::less<>> externs(const isa::Config& config) {
  std::map<std::string, ir::Extern, std::less<>> result;
  const auto add = [&](std::string_view name, ir::Extern function) {
    result.emplace(std::string(name), std::move(function));
  };
  add(kGemmCall, [config](ExternCall& call) { gemm(config, call); });
  add(kResetCall, [config](ExternCall& call) { reset(config, call); });
  add(kAluCall, [config](ExternCall& call) { alu(config, call); });
  add(kLoadCall, [](ExternCall& call) { transfer(call, true); });
  add(kStoreCall, [](ExternCall& call) { transfer(call, false); });
  add(kTurnCall, [](ExternCall&) {});
  return result;
}

}  // namespace vantage::vta
