// Properties of vta_issue, included at its end, with the order of retirement, the halves and the nests inside. Engines are
// abstract: they end what they were given, each in its order, and release only what they hold.

  initial assume (!rst_ni);

  localparam int FInsns  = vta_pkg::ComputeInsns;
  localparam int FCountW = $clog2(FInsns + 1);

  // What each engine holds: instructions not ended, and how many of them have not released each half ---------------------

  logic [2:0] f_start, f_done, f_may_end;
  logic [5:0] f_release, f_holds;   // two bits an engine
  assign f_start   = {vector_start_o, gemm_start_o, dma_start_o};
  assign f_done    = {vector_done_i, gemm_done_i, dma_done_i};
  assign f_release = {vector_release_i, gemm_release_i, dma_done_i ? dma_done_halves_i : 2'b00};

  logic [2:0] f_overfull;
  logic [3*FCountW-1:0] f_running;   // by engine
  for (genvar e = 0; e < 3; e++) begin : g_formal_engine
    logic [FCountW-1:0] f_running_q;
    always @(posedge clk_i) begin
      if (!rst_ni) f_running_q <= '0;
      else         f_running_q <= f_running_q + FCountW'(f_start[e]) - FCountW'(f_done[e]);
    end
    assign f_may_end[e]  = f_running_q != '0;
    assign f_overfull[e] = f_running_q > FCountW'(FInsns);
    assign f_running[e*FCountW +: FCountW] = f_running_q;

    for (genvar h = 0; h < 2; h++) begin : g_formal_half
      logic [FCountW-1:0] f_held_q;
      always @(posedge clk_i) begin
        if (!rst_ni) f_held_q <= '0;
        else         f_held_q <= f_held_q + FCountW'(f_start[e] && halves_o[h]) - FCountW'(f_release[2*e + h]);
      end
      assign f_holds[2*e + h] = f_held_q != '0;
    end
  end

  // Nests: one may wait, one makes its steps
  logic [1:0] f_first, f_last, f_waits_q, f_active_q;   // GEMM, vector
  assign f_first = {vector_first_step_i, gemm_first_step_i};
  assign f_last  = {vector_last_step_i, gemm_last_step_i};

  localparam int FLoads = vta_pkg::WaitingLoads + 2;
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
      // The read DMA holds as many: some that wait, one that is written, one whose end is told
      assume (!dma_ready_i || (32'(f_running[0 +: FCountW]) < FLoads));
      f_waits_q  <= (f_waits_q & ~f_first) | f_start[2:1];
      f_active_q <= (f_active_q | f_first) & ~f_last;
      f_loads_q  <= f_loads_q + (LoadsW + 1)'(dma_start_o && is_uop_load_o) - (LoadsW + 1)'(dma_done_i && dma_done_uops_i);
    end
  end

  // One instruction, any, is followed from its issue to its retirement ---------------------------------------------------

  (* anyseq *) logic  f_pick;
  logic               f_seen_q, f_here_q, f_ended_q, f_ends, f_retires;
  logic [1:0]         f_engine_q;
  logic               f_push_prev_q, f_push_next_q, f_finish_q;
  logic [FCountW-1:0] f_in_flight_q, f_before_q;   // issued and not retired; of them before it
  logic [FCountW-1:0] f_to_end_q, f_engine_running;   // of its engine, not ended, before it
  always_comb begin
    case (engine_q)
      Dma:     f_engine_running = f_running[0 +: FCountW] - FCountW'(f_done[0]);
      Gemm:    f_engine_running = f_running[FCountW +: FCountW] - FCountW'(f_done[1]);
      Vector:  f_engine_running = f_running[2*FCountW +: FCountW] - FCountW'(f_done[2]);
      default: f_engine_running = '0;
    endcase
  end
  assign f_ends = f_here_q && (f_ended_q || ((f_to_end_q == '0) && f_done[2'(f_engine_q - 1'b1)]));
  assign f_retires = f_here_q && retire_o && (f_before_q == '0);

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      f_seen_q      <= 1'b0;
      f_here_q      <= 1'b0;
      f_in_flight_q <= '0;
    end else begin
      f_in_flight_q <= f_in_flight_q + FCountW'(issue_o) - FCountW'(retire_o);
      if (issue_o && f_pick && !f_seen_q) begin
        f_seen_q      <= 1'b1;
        f_here_q      <= 1'b1;
        f_ended_q     <= engine_q == None;
        f_engine_q    <= engine_q;
        f_push_prev_q <= vta_pkg::transfer_push_prev(insn_o);
        f_push_next_q <= vta_pkg::transfer_push_next(insn_o);
        f_finish_q    <= vta_pkg::transfer_opcode(insn_o) == vta_pkg::OpFinish;
        f_before_q    <= f_in_flight_q - FCountW'(retire_o);
        f_to_end_q    <= f_engine_running;
      end else if (f_here_q) begin
        if (f_ends) f_ended_q <= 1'b1;
        else if (f_done[2'(f_engine_q - 1'b1)]) f_to_end_q <= f_to_end_q - 1'b1;
        if (retire_o) f_before_q <= f_before_q - 1'b1;
        if (f_retires) f_here_q <= 1'b0;
      end
    end
  end

  // One nest, any, from its issue to its last step ------------------------------------------------------------------------

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
      f_bgn_q         <= nest_bgn;
      f_last_q        <= nest_last;
    end else begin
      if (f_nest_waits_q && f_first[f_nest_engine_q]) begin
        f_nest_waits_q  <= 1'b0;
        f_nest_active_q <= !f_last[f_nest_engine_q];
      end
      if (f_nest_active_q && f_last[f_nest_engine_q]) f_nest_active_q <= 1'b0;
    end
  end

  logic f_none_but_it;
  assign f_none_but_it = f_nest_waits_q || f_nest_active_q;

  always @(posedge clk_i) begin
    if (rst_ni) begin
      NoMoreThanComputeInsns: assert (f_in_flight_q <= FCountW'(FInsns));
      EnginesHoldNoMore: assert (f_overfull == '0);
      InFlightWhileSomethingIs: assert (in_flight_o == (f_in_flight_q != '0));
      RetiresOnlyWhatIsInFlight: assert (!retire_o || (f_in_flight_q != '0));
      StartsInOneEngine: assert ((f_start & (f_start - 1'b1)) == '0);
      StartsOnlyWhatIsIssued: assert ((f_start == '0) || issue_o);
      HalvesBelongToOneEngine: assert (((f_holds[1:0] & f_holds[3:2]) | (f_holds[1:0] & f_holds[5:4]) |
                                        (f_holds[3:2] & f_holds[5:4])) == '0);
      HalvesAreFreeWhenTaken: assert (((f_start[0] ? (halves_o & (f_holds[3:2] | f_holds[5:4])) : 2'b00) |
                                       (f_start[1] ? (halves_o & (f_holds[1:0] | f_holds[5:4])) : 2'b00) |
                                       (f_start[2] ? (halves_o & (f_holds[1:0] | f_holds[3:2])) : 2'b00)) == '0);
      if (f_here_q) begin
        RetiresInOrderOnceItHasEnded: assert (!f_retires || f_ends);
        RetiresAsSoonAsItCan: assert (!(f_ends && (f_before_q == '0)) || retire_o);
        if (f_retires) PushesWhatItsFlagsSay: assert ((prev_push_o == f_push_prev_q) && (next_push_o == f_push_next_q));
        if (f_retires) FinishesWithFinish: assert (finish_o == f_finish_q);
      end
      PushesOnlyAtRetirement: assert (!(prev_push_o || next_push_o || finish_o) || retire_o);
      PopsOnlyWhatIsAvailable: assert ((!prev_pop_o || prev_available_i) && (!next_pop_o || next_available_i));
      PopsAtIssueWhatItsFlagsSay: assert ((prev_pop_o == (issue_o && vta_pkg::transfer_pop_prev(insn_o))) &&
                                          (next_pop_o == (issue_o && vta_pkg::transfer_pop_next(insn_o))));
      IssuesNothingWhenHalted: assert (!issue_o || (!halt_i && legal_q));
      if (f_none_but_it && dma_start_o && is_uop_load_o) begin
        LoadsNoMicroOpsThatANestReads: assert ((load_last < f_bgn_q) || (load_bgn > f_last_q));
      end
      PendsWhileMicroOpsAreLoaded: assert (!(f_loads_q != '0) || uops_pending_o);
      RunsWhileAnEngineDoes: assert (running_o == (f_may_end[2:1] != '0));
      cover (f_seen_q && !f_here_q && (f_engine_q == Gemm));
      cover ((f_in_flight_q == FCountW'(FInsns)) && (f_holds[1:0] != '0) && (f_holds[3:2] != '0));
      cover (f_none_but_it && dma_start_o && is_uop_load_o);
      cover (f_here_q && f_ended_q && (f_engine_q == Dma) && !retire_o);
    end
  end
