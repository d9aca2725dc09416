// The pipeline of ALU instructions and of resets: a step a cycle, and one more for a source that has to be read, since the
// accumulator scratchpad has one read port. The source read last is held for the steps that follow.
//
//   0  the sequencer's step, whose micro-op was read in the cycle before: indices; the source's in a cycle of its own
//   1  the accumulator is read
//   2  the source is put away; the operation. Either has the two writes before forwarded
//   3  the accumulator is written

`include "vta_assert.svh"

module vta_vector_engine #(
  localparam int AccElemW = 8 << vta_pkg::AccElemLog
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  // An instruction with at least one step, the accumulator halves that it touches, and whether a source that it has read
  // stays as it is until its end. Its first micro-op is read as it starts
  input  logic                          start_i,   // REQUIRES: ready_o
  output logic                          ready_o,
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

  // The nest under way reads micro-ops from bgn to last
  output logic                          active_o,
  output logic [vta_pkg::UopIndexW-1:0] uop_bgn_o,
  output logic [vta_pkg::UopIndexW-1:0] uop_last_o,
  // A step of an ALU instruction, resets not counted
  output logic                          step_o,
  // These halves are free for an instruction that is issued from the next cycle on
  output logic [1:0]                    release_o,
  // In the cycle of an instruction's last write
  output logic                          done_o
);

  localparam int AccIndexW = vta_pkg::AccIndexW;
  localparam int WgtIndexW = vta_pkg::WgtIndexW;
  localparam int AccW      = vta_pkg::AccW;
  localparam int OpW       = vta_pkg::AluAluOpcodeW;
  localparam int ImmW      = vta_pkg::AluImmW;
  localparam int Lanes     = vta_pkg::Batch * vta_pkg::BlockOut;

  // 0: step
  logic                           is_alu;
  logic                           valid, take, last, read_src;
  logic [AccIndexW-1:0]           dst, src, dst_index, src_index;
  logic [vta_pkg::UopSrcIdxW-1:0] uop_src;
  logic                           reset_q, use_imm_q, may_hold_q;
  logic [OpW-1:0]                 op_q;
  logic [ImmW-1:0]                imm_q;
  logic [1:0]                     halves_q;
  // The source at this index is held, or read just now
  logic                           held_q;
  logic [AccIndexW-1:0]           held_index_q;

  assign is_alu = vta_pkg::alu_opcode(insn_i) == vta_pkg::OpAlu;

  vta_sequencer #(
    .SrcW(AccIndexW)
  ) u_sequencer (
    .clk_i,
    .rst_ni,
    .start_i,
    .ready_o,
    .uop_bgn_i       (vta_pkg::alu_uop_bgn(insn_i)),
    .uop_end_i       (vta_pkg::alu_uop_end(insn_i)),
    .iter_out_i      (vta_pkg::alu_iter_out(insn_i)),
    .iter_in_i       (vta_pkg::alu_iter_in(insn_i)),
    .dst_factor_out_i(vta_pkg::alu_dst_factor_out(insn_i)),
    .dst_factor_in_i (vta_pkg::alu_dst_factor_in(insn_i)),
    .src_factor_out_i(vta_pkg::alu_src_factor_out(insn_i)),
    .src_factor_in_i (vta_pkg::alu_src_factor_in(insn_i)),
    .wgt_factor_out_i(WgtIndexW'(0)),
    .wgt_factor_in_i (WgtIndexW'(0)),
    .valid_o         (valid),
    .take_i          (take),
    .uop_o           (),
    .uop_next_o      (uop_rd_index_o),
    .dst_o           (dst),
    .src_o           (src),
    .wgt_o           (),
    .last_o          (last),
    .uop_bgn_o,
    .uop_last_o
  );

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      reset_q    <= !is_alu;
      use_imm_q  <= vta_pkg::alu_use_imm(insn_i);
      may_hold_q <= may_hold_i;
      op_q       <= vta_pkg::alu_alu_opcode(insn_i);
      imm_q      <= vta_pkg::alu_imm(insn_i);
      halves_q   <= halves_i;
    end
  end

  assign uop_src   = vta_pkg::uop_src_idx(uop_i);
  assign src_index = AccIndexW'(uop_src) + src;
  assign dst_index = vta_pkg::uop_dst_idx(uop_i) + dst;

  // A step whose source is not held waits a cycle, in which the source is looked up
  assign read_src    = valid && !reset_q && !use_imm_q && !(held_q && (held_index_q == src_index));
  assign take        = !read_src;
  assign uop_rd_en_o = !valid || take;
  assign active_o    = valid;
  assign step_o      = valid && take && !reset_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                  held_q <= 1'b0;
    else if (read_src)            held_q <= 1'b1;
    else if (last || !may_hold_q) held_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (read_src) held_index_q <= src_index;
  end

  `VTA_ASSERT(KeepsWhatItHolds, !(valid && held_q && may_hold_q && (dst_index == held_index_q)))

  // 1: accumulator
  logic                 valid1_q, last1_q, source1_q, reset1_q, use_imm1_q;
  logic [AccIndexW-1:0] index1_q;
  logic [OpW-1:0]       op1_q;
  logic [ImmW-1:0]      imm1_q;
  logic [1:0]           halves1_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid1_q <= 1'b0;
      last1_q  <= 1'b0;
    end else begin
      valid1_q <= valid;
      last1_q  <= valid && take && last;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid) begin
      source1_q  <= read_src;
      index1_q   <= read_src ? src_index : dst_index;
      reset1_q   <= reset_q;
      use_imm1_q <= use_imm_q;
      op1_q      <= op_q;
      imm1_q     <= imm_q;
      halves1_q  <= halves_q;
    end
  end

  assign acc_rd_en_o    = valid1_q && !reset1_q;
  assign acc_rd_index_o = index1_q;
  assign release_o      = last1_q ? halves1_q : '0;

  // 2: operation
  logic                 valid2_q, last2_q, source2_q, reset2_q, use_imm2_q;
  logic [AccIndexW-1:0] index2_q;
  logic [OpW-1:0]       op2_q;
  logic [ImmW-1:0]      imm2_q;
  logic [AccElemW-1:0]  value, y, source_q, result;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid2_q <= 1'b0;
      last2_q  <= 1'b0;
    end else begin
      valid2_q <= valid1_q;
      last2_q  <= last1_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid1_q) begin
      source2_q  <= source1_q;
      index2_q   <= index1_q;
      reset2_q   <= reset1_q;
      use_imm2_q <= use_imm1_q;
      op2_q      <= op1_q;
      imm2_q     <= imm1_q;
    end
  end

  logic                 valid3_q, last3_q;
  logic [AccIndexW-1:0] index3_q;
  logic [AccElemW-1:0]  result_q;

  vta_forward #(
    .DataW (AccElemW),
    .IndexW(AccIndexW)
  ) u_forward (
    .clk_i,
    .rst_ni,
    .wr_en_i   (valid3_q),
    .wr_index_i(index3_q),
    .wr_data_i (result_q),
    .rd_index_i(index2_q),
    .rd_data_i (acc_i),
    .value_o   (value)
  );

  assign y = use_imm2_q ? {Lanes{AccW'($signed(imm2_q))}} : source_q;

  vta_alu u_alu (
    .op_i    (op2_q),
    .x_i     (value),
    .y_i     (y),
    .result_o(result)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid3_q <= 1'b0;
      last3_q  <= 1'b0;
    end else begin
      valid3_q <= valid2_q && !source2_q;
      last3_q  <= last2_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid2_q) begin
      index3_q <= index2_q;
      if (source2_q) source_q <= value;
      else           result_q <= reset2_q ? '0 : result;
    end
  end

  // 3: write
  assign acc_wr_en_o    = valid3_q;
  assign acc_wr_index_o = index3_q;
  assign acc_wr_data_o  = result_q;
  assign done_o         = last3_q;

  // last1_q and last3_q; the release is seen a cycle later (vta_halves). A source takes a step of its own (read_src)
  `VTA_STATIC_ASSERT(ReleasesInTime, 1 + 1 == vta_pkg::VectorHalvesFree)
  `VTA_STATIC_ASSERT(EndsInTime, 3 == vta_pkg::VectorEnd)
  `VTA_STATIC_ASSERT(SourceTakesOneCycle, vta_pkg::SourceRead == 1)

endmodule
