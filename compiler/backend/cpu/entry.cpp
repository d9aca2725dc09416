#include "compiler/backend/cpu/entry.h"

#include <llvm/IR/IRBuilder.h>

#include "base/error.h"
#include "base/tensor/dtype.h"
#include "compiler/backend/cpu/dl_tensor.h"
#include "compiler/backend/cpu/expr_emitter.h"
#include "compiler/backend/cpu/sizes.h"
#include "compiler/backend/cpu/types.h"
#include "compiler/ir/in_place.h"
#include "native/signature.h"

namespace vantage::cpu {

using namespace ir;

namespace {

// Bytes; no machine has more memory.
constexpr double kLargest = 0x1p47;

class EntryEmitter {
 public:
  EntryEmitter(const ModuleBuilder& module, const PrimFunc& function)
      : module_(module),
        function_(function),
        b_(module.context()),
        exprs_(module, b_),
        in_place_(noted_in_place(function)) {}

  void emit(const std::set<Buffer>& written, llvm::Function* body, llvm::Constant* default_runtime) {
    llvm::Type* pointer = b_.getPtrTy();
    auto* type = llvm::FunctionType::get(b_.getInt32Ty(), {pointer, b_.getInt32Ty(), pointer, pointer}, false);
    entry_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, native::entry_symbol(function_.name),
                                    module_.module);
    entry_->setDoesNotThrow();
    // It runs once per call, and there is much of it: optimizing it would take longer than anything else.
    entry_->addFnAttr(llvm::Attribute::OptimizeNone);
    entry_->addFnAttr(llvm::Attribute::NoInline);
    b_.SetInsertPoint(llvm::BasicBlock::Create(module_.context(), "entry", entry_));
    b_.SetCurrentDebugLocation(module_.debug.location(module_.debug.define(*entry_), nullptr));
    refuse_ = make_refuse();
    const auto count = static_cast<uint32_t>(function_.params.size());
    refuse_if(b_.CreateICmpNE(entry_->getArg(1), b_.getInt32(count)), VANTAGE_WRONG_COUNT, {}, 0, b_.getInt64(count),
              entry_->getArg(1));
    if (count > 0) {
      refuse_if(b_.CreateIsNull(entry_->getArg(0)), VANTAGE_WRONG_COUNT, {}, 0, b_.getInt64(count), b_.getInt64(0));
    }
    for (size_t p = 0; p < function_.params.size(); ++p) {
      if (std::holds_alternative<Buffer>(function_.params[p])) read_tensor(p);
    }
    for (size_t p = 0; p < function_.params.size(); ++p) {
      if (const auto* var = std::get_if<Var>(&function_.params[p])) read_scalar(p, *var);
    }
    for (const auto& [p, tensor] : tensors_) define_sizes(p, tensor);
    for (auto& [p, tensor] : tensors_) check_tensor(p, tensor, written.count(tensor.buffer) != 0);
    check_overlaps(written);
    call(body, default_runtime);
  }

 private:
  struct Tensor {
    Buffer buffer;
    llvm::Value* tensor;
    std::vector<llvm::Value*> shape, strides;
    llvm::Value *data = nullptr, *begin = nullptr, *end = nullptr;
  };

  // Notes a failure where the caller wants to know, and returns its code.
  llvm::Function* make_refuse() {
    llvm::Type *i32 = b_.getInt32Ty(), *i64 = b_.getInt64Ty();
    llvm::LLVMContext& context = module_.context();
    if (llvm::Function* known = module_.module.getFunction("vantage.refuse")) return known;
    auto* type = llvm::FunctionType::get(i32, {b_.getPtrTy(), i32, i32, i32, i64, i64}, false);
    auto* refuse = llvm::Function::Create(type, llvm::Function::InternalLinkage, "vantage.refuse", module_.module);
    refuse->addFnAttr(llvm::Attribute::Cold);
    refuse->addFnAttr(llvm::Attribute::NoInline);
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", refuse));
    auto* note = llvm::BasicBlock::Create(context, "note", refuse);
    auto* end = llvm::BasicBlock::Create(context, "end", refuse);
    b.CreateCondBr(b.CreateIsNull(refuse->getArg(0)), end, note);
    b.SetInsertPoint(note);
    auto* failure = llvm::StructType::get(context, {i32, i32, i32, i64, i64});
    for (unsigned member = 0; member < 5; ++member) {
      b.CreateStore(refuse->getArg(member + 1), b.CreateStructGEP(failure, refuse->getArg(0), member));
    }
    b.CreateBr(end);
    b.SetInsertPoint(end);
    b.CreateRet(refuse->getArg(1));
    return refuse;
  }

  void refuse_if(llvm::Value* wrong, int code, std::optional<size_t> argument, size_t dimension, llvm::Value* expected,
                 llvm::Value* got) {
    auto* refused = llvm::BasicBlock::Create(module_.context(), "refused", entry_);
    auto* fine = llvm::BasicBlock::Create(module_.context(), "fine", entry_);
    b_.CreateCondBr(wrong, refused, fine);
    b_.SetInsertPoint(refused);
    const auto number = [&](size_t n) { return b_.getInt32(static_cast<uint32_t>(n)); };
    b_.CreateRet(b_.CreateCall(
        refuse_, {entry_->getArg(3), number(static_cast<size_t>(code)), number(argument.value_or(0)), number(dimension),
                  b_.CreateIntCast(expected, b_.getInt64Ty(), true), b_.CreateIntCast(got, b_.getInt64Ty(), true)}));
    b_.SetInsertPoint(fine);
  }

  llvm::Value* argument(size_t p, llvm::Type* type) {
    return b_.CreateLoad(type, b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), entry_->getArg(0), p));
  }

  llvm::Value* member(llvm::Value* tensor, DlMember which) {
    llvm::Type* type = dl_tensor_type(module_.context())->getElementType(static_cast<unsigned>(which));
    return b_.CreateLoad(type, dl_member(b_, tensor, which));
  }

  // What kind of tensor it is; its shape and strides.
  void read_tensor(size_t p) {
    Tensor t{std::get<Buffer>(function_.params[p]), argument(p, b_.getPtrTy()), {}, {}};
    llvm::Value* zero = b_.getInt64(0);
    refuse_if(b_.CreateIsNull(t.tensor), VANTAGE_NULL_TENSOR, p, 0, zero, zero);
    llvm::Value* device = member(t.tensor, DlMember::kDeviceType);
    refuse_if(b_.CreateICmpNE(device, b_.getInt32(kDLCPU)), VANTAGE_WRONG_DEVICE, p, 0, b_.getInt64(kDLCPU), device);
    const auto widen = [&](DlMember which) { return b_.CreateZExt(member(t.tensor, which), b_.getInt64Ty()); };
    llvm::Value* dtype = b_.CreateOr(
        b_.CreateOr(b_.CreateShl(widen(DlMember::kDTypeCode), 24), b_.CreateShl(widen(DlMember::kDTypeBits), 16)),
        widen(DlMember::kDTypeLanes));
    const DLDataType wanted = dl_dtype(t.buffer->dtype);
    llvm::Value* expected = b_.getInt64(uint64_t{wanted.code} << 24 | uint64_t{wanted.bits} << 16 | wanted.lanes);
    refuse_if(b_.CreateICmpNE(dtype, expected), VANTAGE_WRONG_DTYPE, p, 0, expected, dtype);
    const size_t rank = t.buffer->rank();
    llvm::Value* got_rank = member(t.tensor, DlMember::kRank);
    refuse_if(b_.CreateICmpNE(got_rank, b_.getInt32(static_cast<uint32_t>(rank))), VANTAGE_WRONG_RANK, p, 0,
              b_.getInt64(rank), got_rank);
    const auto element = [&](llvm::Value* list, size_t d) {
      return b_.CreateLoad(b_.getInt64Ty(), b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), list, d));
    };
    llvm::Value* shape = member(t.tensor, DlMember::kShape);
    if (rank > 0) refuse_if(b_.CreateIsNull(shape), VANTAGE_NULL_SHAPE, p, 0, zero, zero);
    for (size_t d = 0; d < rank; ++d) t.shape.push_back(element(shape, d));
    // No strides means row-major: they are worked out, and one list or the other is read.
    llvm::BasicBlock& first = entry_->getEntryBlock();
    llvm::Value* dense =
        llvm::IRBuilder<>(&first, first.begin()).CreateAlloca(b_.getInt64Ty(), b_.getInt64(std::max<size_t>(rank, 1)));
    llvm::Value* stride = b_.getInt64(1);
    for (size_t d = rank; d-- > 0; stride = b_.CreateMul(stride, t.shape[d])) {
      b_.CreateStore(stride, b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), dense, d));
    }
    llvm::Value* given = member(t.tensor, DlMember::kStrides);
    llvm::Value* strides = b_.CreateSelect(b_.CreateIsNull(given), dense, given);
    for (size_t d = 0; d < rank; ++d) t.strides.push_back(element(strides, d));
    tensors_.emplace_back(p, std::move(t));
  }

  // An integer as a variable's type has it; refused where that cannot hold it.
  void define(const Var& var, llvm::Value* got, size_t p, size_t dimension) {
    llvm::Value* kept = b_.CreateTrunc(got, value_type(module_.context(), var.dtype()));
    llvm::Value* again =
        var.dtype().is_signed() ? b_.CreateSExt(kept, got->getType()) : b_.CreateZExt(kept, got->getType());
    refuse_if(b_.CreateICmpNE(again, got), VANTAGE_OUT_OF_RANGE, p, dimension, again, got);
    exprs_.scope().vars[var.get()] = {kept};
  }

  void read_scalar(size_t p, const Var& var) {
    if (!var.dtype().is_float()) return define(var, argument(p, b_.getInt64Ty()), p, 0);
    llvm::Value* number = argument(p, b_.getDoubleTy());
    exprs_.scope().vars[var.get()] = {emit_cast(b_, kFloat64, var.dtype(), number)};
  }

  void define_sizes(size_t p, const Tensor& t) {
    for (const auto* list : {&t.buffer->shape, &t.buffer->strides}) {
      const std::vector<llvm::Value*>& got = list == &t.buffer->shape ? t.shape : t.strides;
      for (size_t d = 0; d < list->size(); ++d) {
        const Var var = Var::of((*list)[d]);
        if (!var.defined() || exprs_.scope().vars.count(var.get()) != 0) continue;
        define(var, got[d], p, d);
      }
    }
  }

  void check_tensor(size_t p, Tensor& t, bool is_written) {
    const std::vector<Expr> sizes = sizes_in_64_bits(*t.buffer), strides = strides_in_64_bits(*t.buffer);
    const auto as_double = [&](llvm::Value* v) { return b_.CreateSIToFP(v, b_.getDoubleTy()); };
    llvm::Value* roughly = llvm::ConstantFP::get(b_.getDoubleTy(), t.buffer->dtype.bytes());
    for (size_t d = 0; d < t.shape.size(); ++d) {
      llvm::Value* expected = exprs_.uniform_index(sizes[d]);
      refuse_if(b_.CreateICmpNE(t.shape[d], expected), VANTAGE_WRONG_SHAPE, p, d, expected, t.shape[d]);
      refuse_if(b_.CreateICmpSLT(t.shape[d], b_.getInt64(1)), VANTAGE_EMPTY, p, d, b_.getInt64(1), t.shape[d]);
    }
    llvm::Value* last = b_.getInt64(0);
    for (size_t d = 0; d < t.strides.size(); ++d) {
      llvm::Value* expected = exprs_.uniform_index(strides[d]);
      llvm::Value* several = b_.CreateICmpSGT(t.shape[d], b_.getInt64(1));
      refuse_if(b_.CreateAnd(several, b_.CreateICmpNE(t.strides[d], expected)), VANTAGE_WRONG_STRIDE, p, d, expected,
                t.strides[d]);
      // Elements lie one behind the other, and those that are written have places of their own.
      llvm::Value* least = b_.getInt64(is_written ? 1 : 0);
      refuse_if(b_.CreateAnd(several, b_.CreateICmpSLT(t.strides[d], least)), VANTAGE_BAD_STRIDE, p, d, least,
                t.strides[d]);
      llvm::Value* beyond = b_.CreateSub(t.shape[d], b_.getInt64(1));
      last = b_.CreateAdd(last, b_.CreateMul(beyond, b_.CreateSelect(several, expected, b_.getInt64(0))));
      roughly = b_.CreateFMul(roughly, as_double(t.shape[d]));
      llvm::Value* reach = b_.CreateFMul(as_double(beyond), as_double(expected));
      refuse_if(b_.CreateAnd(several, b_.CreateFCmpOGT(reach, llvm::ConstantFP::get(b_.getDoubleTy(), kLargest))),
                VANTAGE_TOO_LARGE, p, d, b_.getInt64(0), t.shape[d]);
    }
    refuse_if(b_.CreateFCmpOGT(roughly, llvm::ConstantFP::get(b_.getDoubleTy(), kLargest)), VANTAGE_TOO_LARGE, p, 0,
              b_.getInt64(0), b_.getInt64(0));
    llvm::Value* data = member(t.tensor, DlMember::kData);
    llvm::Value* zero = b_.getInt64(0);
    refuse_if(b_.CreateIsNull(data), VANTAGE_NULL_DATA, p, 0, zero, zero);
    t.data = b_.CreateGEP(b_.getInt8Ty(), data, member(t.tensor, DlMember::kByteOffset));
    t.begin = b_.CreatePtrToInt(t.data, b_.getInt64Ty());
    const uint64_t alignment = alignment_of(*t.buffer).value();
    refuse_if(b_.CreateIsNotNull(b_.CreateAnd(t.begin, b_.getInt64(alignment - 1))), VANTAGE_MISALIGNED, p, 0,
              b_.getInt64(alignment), t.begin);
    const auto bytes = static_cast<uint64_t>(t.buffer->dtype.bytes());
    t.end = b_.CreateAdd(t.begin, b_.CreateMul(b_.CreateAdd(last, b_.getInt64(1)), b_.getInt64(bytes)));
  }

  void check_overlaps(const std::set<Buffer>& written) {
    for (size_t i = 0; i < tensors_.size(); ++i) {
      for (size_t j = i + 1; j < tensors_.size(); ++j) {
        const auto& [p, x] = tensors_[i];
        const auto& [q, y] = tensors_[j];
        if (written.count(x.buffer) == 0 && written.count(y.buffer) == 0) continue;
        llvm::Value* apart = b_.CreateOr(b_.CreateICmpULE(x.end, y.begin), b_.CreateICmpULE(y.end, x.begin));
        if (may_be_one(x.buffer, y.buffer)) apart = b_.CreateOr(apart, b_.CreateICmpEQ(x.begin, y.begin));
        refuse_if(b_.CreateNot(apart), VANTAGE_OVERLAP, q, 0, b_.getInt64(0), b_.getInt64(p));
      }
    }
  }

  bool may_be_one(const Buffer& a, const Buffer& b) const {
    return std::any_of(in_place_.begin(), in_place_.end(), [&](const InPlace& pair) {
      return (pair.written == a && pair.read == b) || (pair.written == b && pair.read == a);
    });
  }

  void call(llvm::Function* body, llvm::Constant* default_runtime) {
    const BodyParameters parameters = body_parameters(function_);
    std::vector<llvm::Value*> arguments;
    for (const auto& [p, tensor] : tensors_) arguments.push_back(tensor.data);
    for (const Var& var : parameters.vars) arguments.push_back(exprs_.scope().vars.at(var.get()).v);
    llvm::Value* given = entry_->getArg(2);
    arguments.push_back(b_.CreateSelect(b_.CreateIsNull(given), default_runtime, given));
    llvm::BasicBlock& first = entry_->getEntryBlock();
    llvm::Value* status = llvm::IRBuilder<>(&first, first.begin()).CreateAlloca(b_.getInt32Ty());
    b_.CreateStore(b_.getInt32(VANTAGE_OK), status);
    arguments.push_back(status);
    b_.CreateCall(body, arguments);
    llvm::Value* code = b_.CreateLoad(b_.getInt32Ty(), status);
    llvm::Value* zero = b_.getInt64(0);
    refuse_if(b_.CreateIsNotNull(code), VANTAGE_OUT_OF_MEMORY, {}, 0, zero, zero);
    b_.CreateRet(b_.getInt32(VANTAGE_OK));
  }

  const ModuleBuilder& module_;
  const PrimFunc& function_;
  llvm::IRBuilder<> b_;
  ExprEmitter exprs_;
  std::vector<InPlace> in_place_;
  llvm::Function *entry_ = nullptr, *refuse_ = nullptr;
  std::vector<std::pair<size_t, Tensor>> tensors_;  // by the number of the argument
};

}  // namespace

BodyParameters body_parameters(const PrimFunc& function) {
  BodyParameters result;
  result.buffers = function.buffers();
  const auto known = [&](const Var& var) {
    return std::any_of(result.vars.begin(), result.vars.end(), [&](const Var& v) { return v.same_as(var); });
  };
  for (const Param& param : function.params) {
    if (const auto* var = std::get_if<Var>(&param)) result.vars.push_back(*var);
  }
  for (const Buffer& buffer : result.buffers) {
    for (const auto* list : {&buffer->shape, &buffer->strides}) {
      for (const Expr& size : *list) {
        const Var var = Var::of(size);
        if (var.defined() && !known(var)) result.vars.push_back(var);
      }
    }
  }
  return result;
}

void emit_entry(const ModuleBuilder& module, const PrimFunc& function, const std::set<Buffer>& written,
                llvm::Function* body, llvm::Constant* default_runtime) {
  EntryEmitter(module, function).emit(written, body, default_runtime);
}

}  // namespace vantage::cpu
