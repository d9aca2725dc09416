// SPDX-License-Identifier: Apache-2.0
// Properties of vta_issue, included at its end, with the halves and the nests inside. Engines are abstract: they end what
// they were given and release only what they hold. What retires when is proved of vta_retire.

  initial assume (!rst_ni);

  localparam int FInsns  = vta_pkg::ComputeInsns;
  localparam int FCountW = $clog2(FInsns + 1);

  // What each engine holds: instructions not ended, and how many of them have not released each half ---------------------

  logic [2:0] f_start, f_done, f_may_end;
  logic [5:0] f_release, f_holds;   // two bits an engine
  assign f_start   = {vector_start_o, gemm_start_o, dma_start_o};
  assign f_done    = {vector_done_i, gemm_done_i, dma_done_i};
  assign f_release = {vector_release_i, gemm_release_i, dma_done_i ? dma_done_halves_i : 2'b00};

  logic [3*FCountW-1:0] f_running;   // by engine
  for (genvar e = 0; e < 3; e++) begin : g_formal_engine
    logic [FCountW-1:0] f_running_q;
    always @(posedge clk_i) begin
      if (!rst_ni) f_running_q <= '0;
      else         f_running_q <= f_running_q + FCountW'(f_start[e]) - FCountW'(f_done[e]);
    end
    assign f_may_end[e] = f_running_q != '0;
    assign f_running[e*FCountW +: FCountW] = f_running_q;

    for (genvar h = 0; h < 2; h++) begin : g_formal_half
      logic [FCountW-1:0] f_held_q;
      always @(posedge clk_i) begin
        if (!rst_ni) f_held_q <= '0;
        else         f_held_q <= f_held_q + FCountW'(f_start[e] && halves_o[h]) - FCountW'(f_release[2*e + h]);
        // It has released what it held when it ends
        if (rst_ni) assume (f_held_q - FCountW'(f_release[2*e + h]) <= f_running_q - FCountW'(f_done[e]));
      end
      assign f_holds[2*e + h] = f_held_q != '0;
    end
  end

  // Nests: one may wait, one makes its steps
  logic [1:0] f_first, f_last, f_waits_q, f_active_q;   // GEMM, vector
  assign f_first = {vector_first_step_i, gemm_first_step_i};
  assign f_last  = {vector_last_step_i, gemm_last_step_i};

  localparam int FLoads = vta_pkg::WaitingLoads + 1;
  logic [LoadsW:0] f_loads_q;   // of micro-ops, not ended

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      f_waits_q  <= '0;
      f_active_q <= '0;
      f_loads_q  <= '0;
    end else begin
      // A load of micro-ops touches no accumulators (vta_compute_check)
      assume (!check_is_transfer_i || (vta_pkg::dma_memory(check_dma_i) != vta_pkg::MemUop) || (check_halves_i == 2'b00));
      assume ((f_done & ~f_may_end) == '0);
      assume ((f_release & ~f_holds) == '0);
      assume ((f_first & ~(f_waits_q & ~f_active_q)) == '0);
      assume ((f_last & ~(f_active_q | f_first)) == '0);
      assume (!(dma_done_i && dma_done_uops_i) || (f_loads_q != '0));
      assume (32'(f_loads_q) - 32'(dma_done_i && dma_done_uops_i) <= 32'(f_running[0 +: FCountW]) - 32'(dma_done_i));
      // The read DMA holds no more (vta_dma_read)
      assume (!dma_ready_i || (32'(f_running[0 +: FCountW]) < FLoads));
      f_waits_q  <= (f_waits_q & ~f_first) | f_start[2:1];
      f_active_q <= (f_active_q | f_first) & ~f_last;
      f_loads_q  <= f_loads_q + (LoadsW + 1)'(dma_start_o && is_uop_load_o) - (LoadsW + 1)'(dma_done_i && dma_done_uops_i);
    end
  end

  // One nest, any, from its issue to its last step ------------------------------------------------------------------------

  logic [vta_pkg::GemmUopEndW-1:0] f_end;
  assign f_end = vta_pkg::gemm_uop_end(insn_o) - 1'b1;
  (* anyseq *) logic    f_pick_nest;
  logic                 f_nest_seen_q, f_nest_waits_q, f_nest_active_q, f_nest_engine_q;
  logic [UopIndexW-1:0] f_bgn_q, f_last_q;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      f_nest_seen_q   <= 1'b0;
      f_nest_waits_q  <= 1'b0;
      f_nest_active_q <= 1'b0;
    end else if ((gemm_start_o || vector_start_o) && f_pick_nest && !f_nest_seen_q) begin
      f_nest_seen_q   <= 1'b1;
      f_nest_waits_q  <= 1'b1;
      f_nest_engine_q <= vector_start_o;
      f_bgn_q         <= vta_pkg::gemm_uop_bgn(insn_o);
      f_last_q        <= f_end[UopIndexW-1:0];
    end else begin
      if (f_nest_waits_q && f_first[f_nest_engine_q]) begin
        f_nest_waits_q  <= 1'b0;
        f_nest_active_q <= !f_last[f_nest_engine_q];
      end
      if (f_nest_active_q && f_last[f_nest_engine_q]) f_nest_active_q <= 1'b0;
    end
  end

  logic f_nest_here;
  assign f_nest_here = f_nest_waits_q || f_nest_active_q;

  // Issued and not retired
  logic [FCountW-1:0] f_in_flight_q;
  always @(posedge clk_i) begin
    if (!rst_ni) f_in_flight_q <= '0;
    else         f_in_flight_q <= f_in_flight_q + FCountW'(issue_o) - FCountW'(retire_o);
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      NoMoreThanComputeInsns: assert (f_in_flight_q <= FCountW'(FInsns));
      StartsInOneEngine: assert ((f_start & (f_start - 1'b1)) == '0);
      StartsOnlyWhatIsIssued: assert ((f_start == '0) || issue_o);
      HalvesBelongToOneEngine: assert (((f_holds[1:0] & f_holds[3:2]) | (f_holds[1:0] & f_holds[5:4]) |
                                        (f_holds[3:2] & f_holds[5:4])) == '0);
      HalvesAreFreeWhenTaken: assert (((f_start[0] ? (halves_o & (f_holds[3:2] | f_holds[5:4])) : 2'b00) |
                                       (f_start[1] ? (halves_o & (f_holds[1:0] | f_holds[5:4])) : 2'b00) |
                                       (f_start[2] ? (halves_o & (f_holds[1:0] | f_holds[3:2])) : 2'b00)) == '0);
      PopsOnlyWhatIsAvailable: assert ((!prev_pop_o || prev_available_i) && (!next_pop_o || next_available_i));
      PopsAtIssueWhatItsFlagsSay: assert ((prev_pop_o == (issue_o && vta_pkg::transfer_pop_prev(insn_o))) &&
                                          (next_pop_o == (issue_o && vta_pkg::transfer_pop_next(insn_o))));
      IssuesNothingWhenHalted: assert (!issue_o || (!halt_i && legal_q));
      if (f_nest_here && dma_start_o && is_uop_load_o) begin
        LoadsNoMicroOpsThatANestReads: assert ((load_last < f_bgn_q) || (load_bgn > f_last_q));
      end
      PendsWhileMicroOpsAreLoaded: assert (!(f_loads_q != '0) || uops_pending_o);
      RunsWhileAnEngineDoes: assert (running_o == (f_may_end[2:1] != '0));
      cover ((f_in_flight_q == FCountW'(FInsns)) && (f_holds[1:0] != '0) && (f_holds[3:2] != '0));
      cover (f_nest_here && dma_start_o && is_uop_load_o);
    end
  end
