// Transforming a function step by step, each step checked to keep what it computes.
//
//   Schedule sch(create_prim_func({a, b, c}));
//   BlockRV block = sch.get_block("C");
//   auto parts = sch.split(sch.get_loop(block, "i"), {std::nullopt, 32});
//   sch.reorder({parts[0], sch.get_loop(block, "j"), parts[1]});
//   fmt::print("{}", to_text(sch.function()));
//
// Handles stay valid for as long as what they name exists; using one whose loop was split or whose block was inlined is
// an Error. A step that is illegal throws Error and leaves function and trace as they were. Float reductions may be
// reordered, which changes how they round.
//
// Thread safety: none.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "compiler/ir/prim_func.h"
#include "compiler/schedule/intrinsic.h"
#include "compiler/schedule/trace.h"

namespace vantage::schedule {

class Schedule {
 public:
  // `intrinsics` are those that tensorize may name. `seed`: of what is drawn; the same steps with the same seed draw
  // the same. Throws Error when the function is not valid (compiler/ir/verify.h).
  explicit Schedule(ir::PrimFunc function, Intrinsics intrinsics = {}, uint64_t seed = 0);

  // More that tensorize may name; of names that it has already nothing changes. No step of the trace.
  void add_intrinsics(const Intrinsics& more);

  const ir::PrimFunc& function() const { return function_; }
  const Trace& trace() const { return trace_; }
  // Does all steps of a trace on this schedule, which must be new. Throws Error, naming the step, when one fails.
  void replay(const Trace& trace);

  // --- Finding things
  BlockRV get_block(const std::string& name);
  // The loops around a block, outermost first.
  std::vector<LoopRV> get_loops(BlockRV block);
  // The one of them with this name: as it is printed, or its own, without what the printer adds to tell loops apart.
  // Splitting i makes i_0, i_1 and so on; fusing i and j makes i_j_fused. Throws Error when there is none, and when the
  // name may mean several.
  LoopRV get_loop(BlockRV block, const std::string& name);

  // --- Drawing numbers
  // A step that draws notes its decision in the trace, so that a replay does the same; with_decision() (trace.h) makes
  // a trace that decides otherwise. A decision that is given is taken instead.
  //
  // Factors for a split of a loop into `parts` that leaves no rest: outermost first, the innermost at most
  // `max_innermost`. The loop must have a constant number of iterations.
  std::vector<IntRV> sample_perfect_tile(LoopRV loop, int64_t parts, int64_t max_innermost,
                                         const Decision& decision = {});
  // One of the candidates, each as likely as its probability says; these must add up to 1. The decision is the place of
  // the one chosen.
  IntRV sample_categorical(const std::vector<int64_t>& candidates, const Probabilities& probabilities,
                           std::optional<int64_t> decision = std::nullopt);
  int64_t value(IntRV number) const;

  // --- Loops
  // Into as many loops as there are factors, outermost first; one may be left open (nullopt). Where the product is no
  // divisor, blocks get a guard.
  std::vector<LoopRV> split(LoopRV loop, const Factors& factors);
  // Two loops, the inner of `factor` iterations; or the outer of `parts`.
  std::array<LoopRV, 2> split_by_factor(LoopRV loop, int64_t factor);
  std::array<LoopRV, 2> split_by_parts(LoopRV loop, int64_t parts);
  // Loops that stand directly inside one another, as one.
  LoopRV fuse(const std::vector<LoopRV>& loops);
  // Puts loops of one chain, which may have others between them, into this order at the places they have.
  void reorder(const std::vector<LoopRV>& loops);
  // Splits two loops and orders the parts y_outer, x_outer, y_inner, x_inner.
  std::array<LoopRV, 4> tile(LoopRV y, LoopRV x, int64_t y_factor, int64_t x_factor);
  // To "blockIdx.x" and so on, "threadIdx.x" and so on, or "vthread".
  void bind(LoopRV loop, const std::string& thread);
  void parallel(LoopRV loop);
  void vectorize(LoopRV loop);
  // Refused where it would make more copies than ir::kMostUnrolled (compiler/ir/unrolling.h).
  void unroll(LoopRV loop);

  // --- Where blocks are computed
  // A producer into a loop of what reads it: as much as one iteration needs.
  void compute_at(BlockRV block, LoopRV loop);
  // A consumer into a loop of what it reads: as much as one iteration has made.
  void reverse_compute_at(BlockRV block, LoopRV loop);
  // A formula into those that read it, or into the one that makes what it reads.
  void compute_inline(BlockRV block);
  void reverse_compute_inline(BlockRV block);

  // --- Memory
  // A copy in `scope` of a buffer that a block reads, or of the one that it writes. The block of the copy.
  BlockRV cache_read(BlockRV block, const std::string& buffer, const std::string& scope);
  BlockRV cache_write(BlockRV block, const std::string& scope);
  // Of the buffer that a block writes.
  void set_scope(BlockRV block, const std::string& scope);
  // The stride of dimension `axis` of what a block writes becomes `offset` more than a multiple of `factor` elements.
  void storage_align(BlockRV block, int64_t axis, int64_t factor, int64_t offset);
  // What a block writes gets two places, or more, used in turn by the iterations of the loop that it is computed in.
  void double_buffer(BlockRV block, int64_t places = 2);
  // How a buffer that the function allocates lies in memory, one that the block reads or writes: by an index map that
  // gives each element another place, as "i, j -> i // 16, j // 16, i % 16, j % 16" (index_map.h). All accesses change
  // with it. Without a name, what the block writes.
  void transform_layout(BlockRV block, const std::string& buffer, const std::string& map);
  void transform_layout(BlockRV block, const std::string& map);
  // Of what a block makes inside its consumers' loop, only what the iteration before has not made already: the buffer
  // becomes circular along the dimension that moves with the loop, and holds as much as one iteration reads. The loop
  // then keeps its order.
  void rolling_buffer(BlockRV block);

  // --- Padding
  // A block that writes a value where a condition holds and a constant elsewhere: filled with the constant before
  // `loop`, and overwritten with the value where the condition holds. The block that fills. Handle and name of the
  // block stay with what copies.
  BlockRV decompose_padding(BlockRV block, LoopRV loop);
  // A sum of products whose axes become multiples of `padding`, a number for each of them; 1: as it is. What it reads
  // comes from copies that are filled up with zeros (blocks "A_pad" and so on), and where its own sums are more than
  // before, another block copies those that are wanted. For tiles that would not go into its axes otherwise.
  void pad_einsum(BlockRV block, const Factors& padding);

  // --- Reductions
  // The initialisation as a block of its own, before `loop`. Handle and name of the block stay with what reduces.
  BlockRV decompose_reduction(BlockRV block, LoopRV loop);
  // A loop of the reduction made spatial, its partial results folded by another block. The block of partial results;
  // dimension `factor_axis` of these counts the loop.
  BlockRV rfactor(LoopRV loop, int64_t factor_axis);

  // --- Instructions
  // All below a loop as one block.
  BlockRV blockize(LoopRV loop);
  // All below a loop done by an intrinsic: by its compute where that is all of a reduction; else by its update, with
  // the initial values taken out in front of the reduction (as decompose_reduction does, if that has not been done) and
  // made by its reset, or by plain stores where it has none. What decompose_reduction took out can be tensorized alone.
  void tensorize(LoopRV loop, const std::string& intrinsic);

  // --- Notes for lowering
  void pragma(LoopRV loop, const std::string& key, int64_t value = 1);
  void annotate(LoopRV loop, const std::string& key, int64_t value);
  void annotate(LoopRV loop, const std::string& key, const std::string& value);
  void annotate(LoopRV loop, const std::string& key, IntRV value);
  void annotate(BlockRV block, const std::string& key, int64_t value);
  void annotate(BlockRV block, const std::string& key, const std::string& value);

 private:
  friend struct Primitive;  // primitive_table.h

  // Does a step by its name and notes it in the trace.
  Step::Result apply(const std::string& primitive, std::vector<Argument> arguments);
  const std::string& name_of(BlockRV block) const;
  const ir::Var& var_of(LoopRV loop) const;
  std::vector<ir::Var> vars_of(const std::vector<LoopRV>& loops) const;
  BlockRV add(const std::string& block);
  LoopRV add(const ir::Var& loop);
  std::vector<LoopRV> add(const std::vector<ir::Var>& loops);
  IntRV add(int64_t number);
  std::vector<IntRV> add(const std::vector<int64_t>& numbers);
  const Intrinsic& intrinsic(const std::string& name) const;

  ir::PrimFunc function_;
  Intrinsics intrinsics_;
  std::mt19937_64 random_;
  Trace trace_;
  // What handles mean, by their numbers.
  std::vector<std::string> blocks_;
  std::vector<ir::Var> loops_;
  std::vector<int64_t> numbers_;
};

}  // namespace vantage::schedule
