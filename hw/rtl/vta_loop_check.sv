// SPDX-License-Identifier: Apache-2.0
// What a GEMM or ALU instruction needs before it may be issued: whether docs/isa.md allows it, which halves of the
// accumulator scratchpad it touches, and whether it may hold a source. Reads the instruction's micro-ops once, one a cycle,
// for the least and the largest index; indices grow with every term of the affine sum, so those of the first and the last
// iteration bound the rest.
//
// n micro-ops take n + 1 cycles from start_i, and no fewer than 2. done_o stays until the next start.

`include "vta_assert.svh"

module vta_loop_check (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          flush_i,

  // The instruction must be stable from start_i on, for as long as its verdict is wanted
  input  logic                          start_i,
  input  logic [vta_pkg::InsnW-1:0]     insn_i,
  output logic                          done_o,

  // Micro-op scratchpad
  output logic                          uop_rd_en_o,
  output logic [vta_pkg::UopIndexW-1:0] uop_rd_index_o,
  input  logic [vta_pkg::UopW-1:0]      uop_i,

  output logic                          legal_o,
  output logic                          empty_o,   // no step
  output logic [1:0]                    halves_o,
  // Of an ALU with a source: destinations lie all before or all behind the sources, so no step changes one
  output logic                          may_hold_o
);

  localparam int EndW = vta_pkg::GemmUopEndW;
  localparam int OutW = vta_pkg::GemmIterOutW;
  localparam int InW  = vta_pkg::GemmIterInW;
  localparam int DstW = vta_pkg::UopDstIdxW;
  localparam int SrcW = vta_pkg::UopSrcIdxW;
  localparam int WgtW = vta_pkg::UopWgtIdxW;
  // An affine sum: an index, and two products of an iteration and a factor no wider than the widest index
  localparam int IndexW = (DstW > SrcW) ? ((DstW > WgtW) ? DstW : WgtW) : ((SrcW > WgtW) ? SrcW : WgtW);
  localparam int IterW  = (OutW > InW) ? OutW : InW;
  localparam int SumW   = IterW + IndexW + 2;

  // Fields; those before the factors lie alike in GEMM and ALU
  logic            is_gemm, reads_inp, reads_acc;
  logic [OutW-1:0] out_last;
  logic [InW-1:0]  in_last;
  logic [vta_pkg::UopIndexW-1:0] bgn, last, next_q;

  logic [EndW-1:0] uop_bgn, uop_end;
  logic [OutW-1:0] iter_out;
  logic [InW-1:0]  iter_in;
  logic            no_steps, range_ok;

  assign is_gemm   = vta_pkg::gemm_opcode(insn_i) == vta_pkg::OpGemm;
  assign reads_inp = is_gemm && !vta_pkg::gemm_reset(insn_i);
  assign reads_acc = !is_gemm && !vta_pkg::alu_use_imm(insn_i);
  assign uop_bgn   = {1'b0, bgn};
  assign bgn       = vta_pkg::gemm_uop_bgn(insn_i);
  assign uop_end   = vta_pkg::gemm_uop_end(insn_i);
  assign iter_out  = vta_pkg::gemm_iter_out(insn_i);
  assign iter_in   = vta_pkg::gemm_iter_in(insn_i);
  assign out_last  = iter_out - 1'b1;
  assign in_last   = iter_in - 1'b1;
  assign last      = vta_pkg::UopIndexW'(uop_end - 1'b1);
  assign range_ok  = (uop_end >= uop_bgn) && (32'(uop_end) <= vta_pkg::UopDepth);
  assign no_steps  = (uop_end == uop_bgn) || (iter_out == '0) || (iter_in == '0);

  // Products, one for every term
  logic [SumW-1:0] dst_span_q, src_span_q, wgt_span_q;
  logic [DstW-1:0] dst_out, dst_in;
  logic [SrcW-1:0] src_out, src_in;
  logic [WgtW-1:0] wgt_out, wgt_in;
  logic [vta_pkg::InpIndexW-1:0] inp_out, inp_in;
  logic [vta_pkg::AccIndexW-1:0] acc_out, acc_in;

  assign dst_out = vta_pkg::gemm_dst_factor_out(insn_i);
  assign dst_in  = vta_pkg::gemm_dst_factor_in(insn_i);
  assign inp_out = vta_pkg::gemm_src_factor_out(insn_i);
  assign inp_in  = vta_pkg::gemm_src_factor_in(insn_i);
  assign acc_out = vta_pkg::alu_src_factor_out(insn_i);
  assign acc_in  = vta_pkg::alu_src_factor_in(insn_i);
  assign src_out = is_gemm ? SrcW'(inp_out) : SrcW'(acc_out);
  assign src_in  = is_gemm ? SrcW'(inp_in) : SrcW'(acc_in);
  assign wgt_out = vta_pkg::gemm_wgt_factor_out(insn_i);
  assign wgt_in  = vta_pkg::gemm_wgt_factor_in(insn_i);

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      dst_span_q <= SumW'(out_last) * SumW'(dst_out) + SumW'(in_last) * SumW'(dst_in);
      src_span_q <= SumW'(out_last) * SumW'(src_out) + SumW'(in_last) * SumW'(src_in);
      wgt_span_q <= SumW'(out_last) * SumW'(wgt_out) + SumW'(in_last) * SumW'(wgt_in);
    end
  end

  // Micro-ops: addresses, then data a cycle later
  logic            scanning_q, arriving_q, closing_q, done_q, skip;
  logic            last_address;

  assign skip           = no_steps || !range_ok;
  assign last_address   = next_q == last;
  assign uop_rd_en_o    = (start_i && !skip) || scanning_q;
  assign uop_rd_index_o = scanning_q ? next_q : bgn;
  assign done_o         = done_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i) begin
      scanning_q <= 1'b0;
      arriving_q <= 1'b0;
      closing_q  <= 1'b0;
      done_q     <= 1'b0;
    end else begin
      if (start_i)           scanning_q <= !skip && (bgn != last);
      else if (last_address) scanning_q <= 1'b0;
      arriving_q <= uop_rd_en_o;
      // The cycle after the last address: its data arrive
      closing_q  <= start_i ? (skip || (bgn == last)) : (scanning_q && last_address);
      if (start_i)        done_q <= 1'b0;
      else if (closing_q) done_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i)         next_q <= bgn + 1'b1;
    else if (scanning_q) next_q <= next_q + 1'b1;
  end

  // Of the micro-ops so far: the last step's index of each, whether it passes its scratchpad's end, and in which half of the
  // accumulators it lies; the first step's half
  localparam logic [SumW-1:0] Half = SumW'(1 << (vta_pkg::AccIndexW - 1));
  logic [DstW-1:0] dst, dst_min_q, dst_max_q;
  logic [SrcW-1:0] src, src_min_q, src_max_q;
  logic [WgtW-1:0] wgt;
  logic [SumW-1:0] dst_last, src_last, wgt_last;
  logic            beyond_q, beyond;
  logic [1:0]      dst_halves_q, src_halves_q;

  assign dst       = vta_pkg::uop_dst_idx(uop_i);
  assign src       = vta_pkg::uop_src_idx(uop_i);
  assign wgt       = vta_pkg::uop_wgt_idx(uop_i);
  assign dst_last  = SumW'(dst) + dst_span_q;
  assign src_last  = SumW'(src) + src_span_q;
  assign wgt_last  = SumW'(wgt) + wgt_span_q;
  assign beyond    = (dst_last >= SumW'(vta_pkg::AccDepth)) ||
                     (reads_acc && (src_last >= SumW'(vta_pkg::AccDepth))) ||
                     (reads_inp && ((src_last >= SumW'(vta_pkg::InpDepth)) || (wgt_last >= SumW'(vta_pkg::WgtDepth))));

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      beyond_q     <= 1'b0;
      dst_halves_q <= 2'b00;
      src_halves_q <= 2'b00;
      dst_min_q    <= '1;
      dst_max_q    <= '0;
      src_min_q    <= '1;
      src_max_q    <= '0;
    end else if (arriving_q) begin
      beyond_q     <= beyond_q || beyond;
      dst_halves_q <= dst_halves_q | {dst_last >= Half, SumW'(dst) < Half};
      src_halves_q <= src_halves_q | {src_last >= Half, SumW'(src) < Half};
      if (dst < dst_min_q) dst_min_q <= dst;
      if (dst > dst_max_q) dst_max_q <= dst;
      if (src < src_min_q) src_min_q <= src;
      if (src > src_max_q) src_max_q <= src;
    end
  end

  // Verdict. The ranges of a legal instruction end inside their scratchpads, so so many bits of their ends are enough
  logic [DstW-1:0] dst_range_end;
  logic [SrcW-1:0] src_range_end;

  assign dst_range_end = dst_max_q + DstW'(dst_span_q);
  assign src_range_end = src_max_q + SrcW'(src_span_q);

  assign legal_o    = range_ok && (no_steps || !beyond_q);
  assign empty_o    = no_steps;
  assign halves_o   = dst_halves_q | (reads_acc ? src_halves_q : 2'b00);
  assign may_hold_o = (SumW'(dst_range_end) < SumW'(src_min_q)) || (SumW'(src_range_end) < SumW'(dst_min_q));

  // arriving_q; done_q, beside which the last micro-op arrives, takes the place of the first address
  `VTA_STATIC_ASSERT(TakesOneCycleMoreThanMicroOps, vta_pkg::LoopCheck == 1)

endmodule
