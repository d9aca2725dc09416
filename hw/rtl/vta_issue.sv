// SPDX-License-Identifier: Apache-2.0
// Where a checked instruction of the compute stage waits to be issued, what it waits for, and its end: tokens, engines,
// accumulator halves, micro-ops that are still to be read. Instructions are issued and retire in program order, at most one
// of each a cycle. Tokens are popped at issue and pushed at retirement.

`include "vta_assert.svh"

module vta_issue #(
  localparam int InsnW  = vta_pkg::InsnW,
  localparam int IndexW = vta_pkg::InsnCountW
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     flush_i,
  // Issue nothing more
  input  logic                     halt_i,

  // A checked instruction (vta_compute_check)
  input  logic                     check_valid_i,
  output logic                     check_ready_o,
  input  logic [IndexW-1:0]        check_index_i,
  input  logic [InsnW-1:0]         check_insn_i,
  input  logic                     check_legal_i,
  input  logic                     check_empty_i,
  input  logic                     check_is_transfer_i,
  input  logic [1:0]               check_halves_i,
  input  logic                     check_may_hold_i,
  input  logic [vta_pkg::DmaW-1:0] check_dma_i,

  // Tokens: prev is load, next is store
  input  logic                     prev_available_i,
  output logic                     prev_pop_o,
  output logic                     prev_push_o,
  input  logic                     next_available_i,
  output logic                     next_pop_o,
  output logic                     next_push_o,

  // The instruction that waits, and the engine in which it starts in this cycle
  output logic                     dma_start_o,
  output logic                     gemm_start_o,
  output logic                     vector_start_o,
  output logic [InsnW-1:0]         insn_o,
  output logic [1:0]               halves_o,
  output logic                     may_hold_o,
  output logic [vta_pkg::DmaW-1:0] dma_o,
  output logic                     is_uop_load_o,

  // What the engines do
  input  logic                     dma_ready_i,
  input  logic                     dma_done_i,
  input  logic [1:0]               dma_done_halves_i,
  input  logic                     dma_done_uops_i,
  input  logic                     gemm_first_step_i,
  input  logic                     gemm_last_step_i,
  input  logic [1:0]               gemm_release_i,
  input  logic                     gemm_done_i,
  input  logic                     vector_first_step_i,
  input  logic                     vector_last_step_i,
  input  logic [1:0]               vector_release_i,
  input  logic                     vector_done_i,

  // A load of micro-ops has not ended: an instruction may not read its micro-ops before
  output logic                     uops_pending_o,
  output logic                     issue_o,
  output logic                     retire_o,
  output logic                     finish_o,      // FINISH retires
  output logic                     occupied_o,
  output logic                     in_flight_o,
  output logic                     transfers_in_flight_o,
  output logic                     token_wait_o,  // the instruction lacks nothing but tokens
  output logic                     running_o,     // GEMM or vector engine holds an instruction
  output logic                     illegal_o,
  output logic [IndexW-1:0]        insn_index_o
);

  localparam int UopIndexW = vta_pkg::UopIndexW;

  // The engines, and what needs none
  localparam logic [1:0] None   = 2'd0;
  localparam logic [1:0] Dma    = 2'd1;
  localparam logic [1:0] Gemm   = 2'd2;
  localparam logic [1:0] Vector = 2'd3;

  // The instruction that waits ----------------------------------------------------------------------------------------

  logic       valid_q, legal_q, check_runs_on_gemm;
  logic [1:0] engine_q;

  assign check_ready_o      = !valid_q || issue_o;
  assign check_runs_on_gemm = (vta_pkg::gemm_opcode(check_insn_i) == vta_pkg::OpGemm) &&
                              !vta_pkg::gemm_reset(check_insn_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni)            valid_q <= 1'b0;
    else if (flush_i)       valid_q <= 1'b0;
    else if (check_ready_o) valid_q <= check_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (check_ready_o) begin
      legal_q       <= check_legal_i;
      insn_index_o  <= check_index_i;
      insn_o        <= check_insn_i;
      halves_o      <= check_empty_i ? 2'b00 : check_halves_i;
      may_hold_o    <= check_may_hold_i;
      dma_o         <= check_dma_i;
      is_uop_load_o <= vta_pkg::dma_memory(check_dma_i) == vta_pkg::MemUop;
      if (check_empty_i)            engine_q <= None;
      else if (check_is_transfer_i) engine_q <= Dma;
      else if (check_runs_on_gemm)  engine_q <= Gemm;
      else                          engine_q <= Vector;
    end
  end

  // What it waits for -------------------------------------------------------------------------------------------------

  logic pop_prev, pop_next, tokens_ok;
  assign pop_prev  = vta_pkg::transfer_pop_prev(insn_o);
  assign pop_next  = vta_pkg::transfer_pop_next(insn_o);
  assign tokens_ok = (!pop_prev || prev_available_i) && (!pop_next || next_available_i);

  logic [1:0] dma_halves, gemm_halves, vector_halves;   // in use
  logic       gemm_ready, gemm_reads, vector_ready, vector_reads, retire_ready, engine_ok;

  always_comb begin
    case (engine_q)
      Dma: begin
        if (is_uop_load_o) engine_ok = dma_ready_i && !gemm_reads && !vector_reads;
        else               engine_ok = dma_ready_i && ((halves_o & (gemm_halves | vector_halves)) == '0);
      end
      Gemm:    engine_ok = gemm_ready && ((halves_o & (dma_halves | vector_halves)) == '0);
      Vector:  engine_ok = vector_ready && ((halves_o & (dma_halves | gemm_halves)) == '0);
      default: engine_ok = 1'b1;
    endcase
  end

  assign issue_o        = valid_q && legal_q && !halt_i && tokens_ok && retire_ready && engine_ok;
  assign dma_start_o    = issue_o && (engine_q == Dma);
  assign gemm_start_o   = issue_o && (engine_q == Gemm);
  assign vector_start_o = issue_o && (engine_q == Vector);
  assign prev_pop_o     = issue_o && pop_prev;
  assign next_pop_o     = issue_o && pop_next;
  assign illegal_o      = valid_q && !legal_q;
  assign occupied_o     = valid_q;
  assign token_wait_o   = valid_q && legal_q && !tokens_ok;

  // Halves in use, by engine
  vta_halves #(
    .Latency(vta_pkg::LoadRelease)
  ) u_dma_halves (
    .clk_i,
    .rst_ni,
    .take_i   (dma_start_o ? halves_o : 2'b00),
    .release_i(dma_done_i ? dma_done_halves_i : 2'b00),
    .in_use_o (dma_halves)
  );
  vta_halves u_gemm_halves (
    .clk_i,
    .rst_ni,
    .take_i   (gemm_start_o ? halves_o : 2'b00),
    .release_i(gemm_release_i),
    .in_use_o (gemm_halves)
  );
  vta_halves u_vector_halves (
    .clk_i,
    .rst_ni,
    .take_i   (vector_start_o ? halves_o : 2'b00),
    .release_i(vector_release_i),
    .in_use_o (vector_halves)
  );

  // Nests that engines hold, and the micro-ops that they read. Where a load's range lies, a nest has it in the instruction
  logic [UopIndexW-1:0]              nest_bgn, nest_last, load_bgn, load_last;
  logic [vta_pkg::GemmUopEndW-1:0]   nest_end;
  logic [vta_pkg::DmaIndexW-1:0]     load_index;
  logic [vta_pkg::DmaLastIndexW-1:0] load_last_index;

  assign nest_bgn        = vta_pkg::gemm_uop_bgn(insn_o);
  assign nest_end        = vta_pkg::gemm_uop_end(insn_o);
  assign nest_last       = UopIndexW'(nest_end - 1'b1);
  assign load_index      = vta_pkg::dma_index(dma_o);
  assign load_last_index = vta_pkg::dma_last_index(dma_o);
  assign load_bgn        = UopIndexW'(load_index);
  assign load_last       = UopIndexW'(load_last_index);

  vta_nests u_gemm_nests (
    .clk_i,
    .rst_ni,
    .start_i     (gemm_start_o),
    .ready_o     (gemm_ready),
    .bgn_i       (nest_bgn),
    .last_i      (nest_last),
    .first_step_i(gemm_first_step_i),
    .last_step_i (gemm_last_step_i),
    .load_bgn_i  (load_bgn),
    .load_last_i (load_last),
    .reads_o     (gemm_reads)
  );
  vta_nests u_vector_nests (
    .clk_i,
    .rst_ni,
    .start_i     (vector_start_o),
    .ready_o     (vector_ready),
    .bgn_i       (nest_bgn),
    .last_i      (nest_last),
    .first_step_i(vector_first_step_i),
    .last_step_i (vector_last_step_i),
    .load_bgn_i  (load_bgn),
    .load_last_i (load_last),
    .reads_o     (vector_reads)
  );

  // Loads that have not ended, and those of micro-ops among them: some wait, one is walked, one is written
  localparam int LoadsW = $clog2(vta_pkg::WaitingLoads + 3);
  logic [LoadsW-1:0] loads_q, uop_loads_q;
  assign uops_pending_o        = (uop_loads_q != '0) || (valid_q && (engine_q == Dma) && is_uop_load_o);
  assign transfers_in_flight_o = loads_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      loads_q     <= '0;
      uop_loads_q <= '0;
    end else begin
      loads_q     <= loads_q + LoadsW'(dma_start_o) - LoadsW'(dma_done_i);
      uop_loads_q <= uop_loads_q + LoadsW'(dma_start_o && is_uop_load_o) - LoadsW'(dma_done_i && dma_done_uops_i);
    end
  end

  // Its end -----------------------------------------------------------------------------------------------------------

  vta_retire u_retire (
    .clk_i,
    .rst_ni,
    .issue_i    (issue_o),
    .ready_o    (retire_ready),
    .engine_i   (engine_q),
    .push_prev_i(vta_pkg::transfer_push_prev(insn_o)),
    .push_next_i(vta_pkg::transfer_push_next(insn_o)),
    .finish_i   (vta_pkg::transfer_opcode(insn_o) == vta_pkg::OpFinish),
    .done_i     ({vector_done_i, gemm_done_i, dma_done_i}),
    .retire_o,
    .push_prev_o(prev_push_o),
    .push_next_o(next_push_o),
    .finish_o,
    .in_flight_o
  );

  localparam int RunningW = $clog2(vta_pkg::ComputeInsns + 1);
  logic [RunningW-1:0] running_q;
  assign running_o = running_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) running_q <= '0;
    else running_q <= running_q + RunningW'(gemm_start_o || vector_start_o) - RunningW'(gemm_done_i) -
                      RunningW'(vector_done_i);
  end

  // From the check into valid_q, from the end of a load into uop_loads_q
  `VTA_STATIC_ASSERT(IssueIsBehindOneRegister, vta_pkg::CheckToIssue == 1)
  `VTA_STATIC_ASSERT(UopsAreReleasedBehindOneRegister, vta_pkg::LoadRelease == 1)

`ifdef FORMAL
`include "vta_issue.formal.svh"
`endif

endmodule
