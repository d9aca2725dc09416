// SPDX-License-Identifier: Apache-2.0
// Properties of vta_retire, included at its end. Engines are abstract: they end what was issued to them, each in its order.
// One instruction, any, is followed from its issue to its retirement.

  initial assume (!rst_ni);

  // Instructions that each engine has not ended
  logic [2:0] f_start, f_may_end;
  logic [3*CountW-1:0] f_running;
  for (genvar e = 0; e < 3; e++) begin : g_formal_engine
    logic [CountW-1:0] f_running_q;
    assign f_start[e]   = issue_i && (engine_i == 2'(e + 1));
    assign f_may_end[e] = f_running_q != '0;
    assign f_running[e*CountW +: CountW] = f_running_q - CountW'(done_i[e]);
    always @(posedge clk_i) begin
      if (!rst_ni) f_running_q <= '0;
      else         f_running_q <= f_running_q + CountW'(f_start[e]) - CountW'(done_i[e]);
    end
  end

  (* anyseq *) logic f_pick;
  logic              f_seen_q, f_here_q, f_ended_q, f_ends, f_retires;
  logic [1:0]        f_engine_q;
  logic              f_push_prev_q, f_push_next_q, f_finish_q;
  logic [CountW-1:0] f_in_flight_q, f_before_q;   // issued and not retired; of them before it
  logic [CountW-1:0] f_to_end_q, f_engine_running;   // of its engine, not ended, before it
  logic [3:0]        f_done;
  assign f_done    = {done_i, 1'b0};
  assign f_ends    = f_here_q && (f_ended_q || ((f_to_end_q == '0) && f_done[f_engine_q]));
  assign f_retires = f_here_q && retire_o && (f_before_q == '0);
  always_comb begin
    case (engine_i)
      2'd1:    f_engine_running = f_running[0 +: CountW];
      2'd2:    f_engine_running = f_running[CountW +: CountW];
      2'd3:    f_engine_running = f_running[2*CountW +: CountW];
      default: f_engine_running = '0;
    endcase
  end

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      f_seen_q      <= 1'b0;
      f_here_q      <= 1'b0;
      f_in_flight_q <= '0;
    end else begin
      assume (!issue_i || ready_o);
      assume ((done_i & ~f_may_end) == '0);
      f_in_flight_q <= f_in_flight_q + CountW'(issue_i) - CountW'(retire_o);
      if (issue_i && f_pick && !f_seen_q) begin
        f_seen_q      <= 1'b1;
        f_here_q      <= 1'b1;
        f_ended_q     <= engine_i == 2'd0;
        f_engine_q    <= engine_i;
        f_push_prev_q <= push_prev_i;
        f_push_next_q <= push_next_i;
        f_finish_q    <= finish_i;
        f_before_q    <= f_in_flight_q - CountW'(retire_o);
        f_to_end_q    <= f_engine_running;
      end else if (f_here_q) begin
        if (f_ends)                  f_ended_q  <= 1'b1;
        else if (f_done[f_engine_q]) f_to_end_q <= f_to_end_q - 1'b1;
        if (retire_o)  f_before_q <= f_before_q - 1'b1;
        if (f_retires) f_here_q   <= 1'b0;
      end
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      NoMoreThanItsDepth: assert (f_in_flight_q <= CountW'(Depth));
      InFlightWhileSomethingIs: assert (in_flight_o == (f_in_flight_q != '0));
      TakesWhileThereIsRoom: assert (ready_o == (f_in_flight_q < CountW'(Depth)));
      RetiresOnlyWhatIsInFlight: assert (!retire_o || (f_in_flight_q != '0));
      PushesOnlyAtRetirement: assert (!(push_prev_o || push_next_o || finish_o) || retire_o);
      if (f_here_q) begin
        StaysInOrder: assert (f_before_q < f_in_flight_q);
        RetiresOnlyOnceItHasEnded: assert (!f_retires || f_ends);
        RetiresAsSoonAsItCan: assert (!(f_ends && (f_before_q == '0)) || retire_o);
        if (f_retires) PushesWhatItsFlagsSay: assert ((push_prev_o == f_push_prev_q) && (push_next_o == f_push_next_q));
        if (f_retires) FinishesWithFinish: assert (finish_o == f_finish_q);
      end
      cover (f_seen_q && !f_here_q && (f_engine_q == 2'd3));
      cover (f_in_flight_q == CountW'(Depth));
      cover (f_here_q && f_ended_q && (f_engine_q == 2'd1) && !retire_o);
    end
  end
