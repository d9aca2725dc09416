// Statements: immutable trees like expressions. A function is first a tree of loops and blocks, which schedules
// transform; lowering makes plain loops, conditions and allocations of it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/ir/buffer.h"
#include "compiler/ir/expr.h"

namespace vantage::ir {

enum class StmtKind : uint8_t { kStore, kFor, kBlock, kSeq, kIf, kLet, kAllocate, kEvaluate };

struct StmtNode {
  StmtKind kind;

 protected:
  explicit StmtNode(StmtKind k) : kind(k) {}
  ~StmtNode() = default;
};

class Stmt {
 public:
  Stmt() = default;  // null: no statement
  explicit Stmt(std::shared_ptr<const StmtNode> node) : node_(std::move(node)) {}

  explicit operator bool() const { return node_ != nullptr; }
  const StmtNode* get() const { return node_.get(); }
  StmtKind kind() const { return node_->kind; }
  bool same_as(const Stmt& other) const { return node_ == other.node_; }
  template <typename T>
  const T* as() const {
    return node_ != nullptr && node_->kind == T::kKind ? static_cast<const T*>(node_.get()) : nullptr;
  }

 private:
  std::shared_ptr<const StmtNode> node_;
};

// Notes for later passes by key: integers and strings.
using Annotations = std::map<std::string, Expr>;

struct Store final : StmtNode {
  static constexpr StmtKind kKind = StmtKind::kStore;
  Store(Buffer b, std::vector<Expr> i, Expr v)
      : StmtNode(kKind), buffer(std::move(b)), indices(std::move(i)), value(std::move(v)) {}
  Buffer buffer;
  std::vector<Expr> indices;
  Expr value;
};

enum class ForKind : uint8_t {
  kSerial,
  kParallel,
  kVectorized,
  kUnrolled,
  kThread,         // bound to the GPU index named by `thread`: "blockIdx.x", "threadIdx.y"
  kVirtualThread,  // runs as if beside the others: a target may interleave their work
};

struct For final : StmtNode {
  static constexpr StmtKind kKind = StmtKind::kFor;
  For() : StmtNode(kKind) {}
  Var var;
  Expr min, extent;
  ForKind loop = ForKind::kSerial;
  std::string thread;
  Annotations annotations;
  Stmt body;
};

enum class AxisKind : uint8_t {
  kSpatial,  // every instance writes its own elements: any order
  kReduce,   // instances fold into one element: any order, the first initialises
  kOrdered,  // an instance reads what earlier ones wrote: ascending
};

struct Axis {
  Var var;
  Range domain;
  AxisKind kind = AxisKind::kSpatial;
};

// How a reduction combines: result[i] in terms of all lhs[i] (so far) and rhs[i] (new), and what it starts from.
struct Reducer {
  std::string name;
  std::vector<Var> lhs, rhs;
  std::vector<Expr> result;
  std::vector<Expr> identity;
};
using ReducerPtr = std::shared_ptr<const Reducer>;

// A computation on axes of its own, which `bindings` tie to the loops around it. It runs where `predicate` holds, and
// what that says of loops alone is asked before the bindings, which may read memory, are computed; `init`, if any, runs
// before `body` where all reduce axes are at the beginning of their domains.
struct Block final : StmtNode {
  static constexpr StmtKind kKind = StmtKind::kBlock;
  Block() : StmtNode(kKind) {}
  std::string name;
  std::vector<Axis> axes;
  std::vector<Expr> bindings;  // one per axis
  Expr predicate = true;
  ReducerPtr reducer;  // of a block that reduces
  Stmt init;           // may be null
  Stmt body;
  Annotations annotations;
};

struct Seq final : StmtNode {
  static constexpr StmtKind kKind = StmtKind::kSeq;
  explicit Seq(std::vector<Stmt> s) : StmtNode(kKind), stmts(std::move(s)) {}
  std::vector<Stmt> stmts;
};

struct If final : StmtNode {
  static constexpr StmtKind kKind = StmtKind::kIf;
  If(Expr c, Stmt t, Stmt e) : StmtNode(kKind), condition(std::move(c)), then(std::move(t)), otherwise(std::move(e)) {}
  Expr condition;
  Stmt then, otherwise;  // otherwise may be null
};

struct Let final : StmtNode {
  static constexpr StmtKind kKind = StmtKind::kLet;
  Let(Var v, Expr e, Stmt b) : StmtNode(kKind), var(std::move(v)), value(std::move(e)), body(std::move(b)) {}
  Var var;
  Expr value;
  Stmt body;
};

// A buffer that exists while `body` runs, with no particular contents at first.
struct Allocate final : StmtNode {
  static constexpr StmtKind kKind = StmtKind::kAllocate;
  Allocate(Buffer b, Stmt s, Annotations a = {})
      : StmtNode(kKind), buffer(std::move(b)), annotations(std::move(a)), body(std::move(s)) {}
  Buffer buffer;
  Annotations annotations;
  Stmt body;
};

struct Evaluate final : StmtNode {  // a call for its effect
  static constexpr StmtKind kKind = StmtKind::kEvaluate;
  explicit Evaluate(Expr c) : StmtNode(kKind), call(std::move(c)) {}
  Expr call;
};

// Throws Error when the value's type is not the buffer's (a literal is adapted) or the indices do not fit it.
Stmt store(const Buffer& buffer, std::vector<Expr> indices, Expr value);
Stmt make_stmt(For loop);
Stmt make_stmt(Block block);
Stmt make_stmt(If node);
Stmt make_stmt(Let node);
Stmt make_stmt(Allocate node);
Stmt evaluate(Expr call);
// The statements one after another: nested sequences are flattened, null ones dropped; null when none is left.
Stmt seq(std::vector<Stmt> stmts);
// A loop from 0, serial unless said otherwise.
Stmt loop(const Var& var, Expr extent, Stmt body);
Stmt loop(ForKind kind, const Var& var, Expr extent, Stmt body);

}  // namespace vantage::ir
