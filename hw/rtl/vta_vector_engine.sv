// SPDX-License-Identifier: Apache-2.0
// The pipeline of ALU instructions and of resets: a step a cycle, and one more for a source that has to be read, since the
// accumulator scratchpad has one read port. The source read last is held for the steps that follow. Behind a step of MUL,
// which takes a cycle longer, only a source may be looked up.
//
//   0  the step is taken (vta_vector_steps); its source is looked up in a cycle of its own before
//   1  the accumulator is read
//   2  it arrives
//   3  the source is put away; the operation
//   4  the products of MUL are added
//   5  the accumulator is written
//
// What the accumulators do not show yet, the results of the four steps before, is put in its place: those of the third and
// the fourth before as the accumulator arrives, those of the first and the second before as it is used.

`include "vta_assert.svh"

module vta_vector_engine #(
  localparam int AccElemW = 8 << vta_pkg::AccElemLog
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  // An instruction with at least one step, the accumulator halves that it touches, and whether a source that it has read
  // stays as it is until its end
  input  logic                          start_i,   // REQUIRES: no other waits for its first step
  input  logic [vta_pkg::InsnW-1:0]     insn_i,
  input  logic [1:0]                    halves_i,
  input  logic                          may_hold_i,

  // Micro-op scratchpad, which gives a micro-op until the next is read
  output logic                          uop_rd_en_o,
  output logic [vta_pkg::UopIndexW-1:0] uop_rd_index_o,
  input  logic [vta_pkg::UopW-1:0]      uop_i,
  // Accumulator scratchpad
  output logic                          acc_rd_en_o,
  output logic [vta_pkg::AccIndexW-1:0] acc_rd_index_o,
  input  logic [AccElemW-1:0]           acc_i,
  output logic                          acc_wr_en_o,
  output logic [vta_pkg::AccIndexW-1:0] acc_wr_index_o,
  output logic [AccElemW-1:0]           acc_wr_data_o,

  // A step of an ALU instruction, resets not counted; a step that is its instruction's first or last
  output logic                          step_o,
  output logic                          first_step_o,
  output logic                          last_step_o,
  // These halves are free for an instruction that is issued from the next cycle on
  output logic [1:0]                    release_o,
  // In the cycle of an instruction's last write
  output logic                          done_o
);

  localparam int AccIndexW = vta_pkg::AccIndexW;
  localparam int AccW      = vta_pkg::AccW;
  localparam int OpW       = vta_pkg::AluAluOpcodeW;
  localparam int ImmW      = vta_pkg::AluImmW;
  localparam int Lanes     = vta_pkg::Batch * vta_pkg::BlockOut;

  // 0: step ----------------------------------------------------------------------------------------------------------

  logic                 valid, take, first, last, read_src;
  logic [AccIndexW-1:0] dst_index, src_index;

  vta_vector_steps u_steps (
    .clk_i,
    .rst_ni,
    .start_i,
    .insn_i,
    .uop_rd_en_o,
    .uop_rd_index_o,
    .uop_i,
    .valid_o(valid),
    .take_i (take),
    .dst_o  (dst_index),
    .src_o  (src_index),
    .first_o(first),
    .last_o (last)
  );

  // What the steps do: of the nest that waits, and from its first step on of the one under way
  localparam int ToldW = 4 + OpW + ImmW + 2;
  logic [ToldW-1:0] next_q, nest_q;
  logic             is_reset, is_mul, reads_src, may_hold;
  logic [OpW-1:0]   told_op, op;
  logic [ImmW-1:0]  imm;
  logic [1:0]       halves;
  logic             told_alu;

  assign told_alu = vta_pkg::alu_opcode(insn_i) == vta_pkg::OpAlu;
  assign told_op  = vta_pkg::alu_alu_opcode(insn_i);
  assign {is_reset, is_mul, reads_src, may_hold, op, imm, halves} = first ? next_q : nest_q;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      next_q <= {!told_alu, told_alu && (told_op == vta_pkg::AluMul), told_alu && !vta_pkg::alu_use_imm(insn_i),
                 may_hold_i, told_op, vta_pkg::alu_imm(insn_i), halves_i};
    end
    if (valid && first) nest_q <= next_q;
  end

  // A step whose source is not held waits a cycle, in which the source is looked up
  logic                 held_q, behind_mul_q;
  logic [AccIndexW-1:0] held_index_q;

  assign read_src     = valid && reads_src && !(held_q && (held_index_q == src_index));
  assign take         = valid && !read_src && !behind_mul_q;
  assign step_o       = take && !is_reset;
  assign first_step_o = take && first;
  assign last_step_o  = take && last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q       <= 1'b0;
      behind_mul_q <= 1'b0;
    end else begin
      if (read_src)                         held_q <= 1'b1;
      else if (take && (last || !may_hold)) held_q <= 1'b0;
      behind_mul_q <= take && is_mul;
    end
  end

  always_ff @(posedge clk_i) begin
    if (read_src) held_index_q <= src_index;
  end

  `VTA_ASSERT(KeepsWhatItHolds, !(take && held_q && may_hold && (dst_index == held_index_q)))

  // What follows each step: whether there is one, whether it only looks up a source, whether it is a nest's last
  localparam int Read    = 1;
  localparam int Arrive  = 2;
  localparam int Operate = 3;
  localparam int Add     = 4;
  localparam int Write   = 5;

  logic [Operate:Read] valid_q, source_q, reset_q;
  logic [Write:Read]   last_q, writes_q;
  logic [Add:Read]     mul_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q  <= '0;
      last_q   <= '0;
      writes_q <= '0;
    end else begin
      valid_q  <= {valid_q[Arrive:Read], read_src || take};
      last_q   <= {last_q[Add:Read], last_step_o};
      writes_q <= {writes_q[Add:Read], take};
    end
  end

  always_ff @(posedge clk_i) begin
    source_q <= {source_q[Arrive:Read], read_src};
    reset_q  <= {reset_q[Arrive:Read], is_reset};
    mul_q    <= {mul_q[Operate:Read], is_mul};
  end

  logic [AccIndexW-1:0] index1_q, index2_q, index3_q, index4_q, index5_q;
  logic [OpW-1:0]       op1_q, op2_q, op3_q;
  logic [ImmW-1:0]      imm1_q, imm2_q, imm3_q;
  logic                 use_imm1_q, use_imm2_q, use_imm3_q;
  logic [1:0]           halves1_q, halves2_q;

  always_ff @(posedge clk_i) begin
    index1_q   <= read_src ? src_index : dst_index;
    index2_q   <= index1_q;
    index3_q   <= index2_q;
    index4_q   <= index3_q;
    index5_q   <= index4_q;
    op1_q      <= op;
    op2_q      <= op1_q;
    imm1_q     <= imm;
    imm2_q     <= imm1_q;
    use_imm1_q <= !reads_src;
    use_imm2_q <= use_imm1_q;
    halves1_q  <= halves;
    halves2_q  <= halves1_q;
    // With an enable of their own: in a shift register of LUTs, what every lane waits for would come later in its cycle
    if (valid_q[Arrive]) begin
      op3_q      <= op2_q;
      imm3_q     <= imm2_q;
      use_imm3_q <= use_imm2_q;
    end
  end

  // No other engine gets to the accumulators sooner than three cycles after its issue
  assign release_o = last_q[Arrive] ? halves2_q : '0;

  // 1: the accumulator is read ---------------------------------------------------------------------------------------

  assign acc_rd_en_o    = valid_q[Read] && !reset_q[Read];
  assign acc_rd_index_o = index1_q;

  // 2: it arrives ----------------------------------------------------------------------------------------------------

  // Whether the results of the third and of the fourth step before replace it, seen a cycle ahead
  logic                third_q, fourth_q;
  logic [AccElemW-1:0] x_q, written_q, result5_q;

  always_ff @(posedge clk_i) begin
    third_q  <= writes_q[Add] && (index4_q == index1_q);
    fourth_q <= writes_q[Write] && (index5_q == index1_q);
  end

  always_ff @(posedge clk_i) begin
    if (valid_q[Arrive]) x_q <= third_q ? result5_q : fourth_q ? written_q : acc_i;
    if (writes_q[Write]) written_q <= result5_q;
  end

  // 3: operation -----------------------------------------------------------------------------------------------------

  // The same for the first and the second step before. A MUL's result is not there yet as the source behind it is put
  // away: that is put right a cycle later
  logic                first_before_q, second_before_q, late_source_q;
  logic [AccElemW-1:0] result4_q, product, x, y, source, held_source_q;

  always_ff @(posedge clk_i) begin
    first_before_q  <= writes_q[Operate] && (index3_q == index2_q);
    second_before_q <= writes_q[Add] && (index4_q == index2_q);
    late_source_q   <= valid_q[Operate] && source_q[Operate] && first_before_q && mul_q[Add];
  end

  assign x      = first_before_q ? result4_q : second_before_q ? result5_q : x_q;
  assign source = late_source_q ? result5_q : held_source_q;
  assign y      = use_imm3_q ? {Lanes{AccW'($signed(imm3_q))}} : source;

  logic puts_away;
  assign puts_away = valid_q[Operate] && source_q[Operate];

  always_ff @(posedge clk_i) begin
    if (puts_away || late_source_q) held_source_q <= puts_away ? x : result5_q;
  end

  vta_alu u_alu (
    .clk_i,
    .valid_i  (writes_q[Operate]),
    .reset_i  (reset_q[Operate]),
    .op_i     (op3_q),
    .x_i      (x),
    .y_i      (y),
    .result_o (result4_q),
    .product_o(product)
  );

  // 4: the products of MUL are added ---------------------------------------------------------------------------------

  always_ff @(posedge clk_i) begin
    if (writes_q[Add]) result5_q <= mul_q[Add] ? product : result4_q;
  end

  // 5: write ---------------------------------------------------------------------------------------------------------

  assign acc_wr_en_o    = writes_q[Write];
  assign acc_wr_index_o = index5_q;
  assign acc_wr_data_o  = result5_q;
  assign done_o         = last_q[Write];

  `VTA_ASSERT(ProductsAreThere, !(writes_q[Operate] && first_before_q && mul_q[Add]))

  // The release is seen a cycle later (vta_halves). A source takes a step of its own (read_src), and so does the wait
  // behind a MUL (behind_mul_q)
  `VTA_STATIC_ASSERT(ReleasesInTime, Arrive + 1 == vta_pkg::VectorHalvesFree)
  `VTA_STATIC_ASSERT(EndsInTime, Write == vta_pkg::VectorEnd)
  `VTA_STATIC_ASSERT(SourceTakesOneCycle, vta_pkg::SourceRead == 1)
  `VTA_STATIC_ASSERT(MulTakesOneCycle, vta_pkg::MulWait == 1)

endmodule
