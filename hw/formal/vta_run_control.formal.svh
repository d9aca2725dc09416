// SPDX-License-Identifier: Apache-2.0
// Properties of vta_run_control, included at its end, above all its verdict of a deadlock. The stages are abstract: an
// instruction is dispatched, enters its stage, is issued when it has its token, and retires.

  initial assume (!rst_ni);
  logic f_past_q;
  initial f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= rst_ni;

  // A stage can go on without an outside event when something of it is in flight, or when an instruction is in its slot
  // and lacks no token, or in its queue with nothing before it. Stages in which nothing is wait for dispatch; dispatch can
  // go on unless FINISH has gone in, or the next instruction finds no room.
  logic [2:0] f_can_go_on;
  logic       f_stuck, f_running_q, f_verdict;
  assign f_can_go_on = in_flight_i | (occupied_i & ~token_wait_i) | (queue_valid_i & ~occupied_i);
  assign f_stuck     = (f_can_go_on == '0) && (finish_dispatched_q || dispatch_stuck_i);
  assign f_verdict   = error_cause_o == vta_pkg::ErrDeadlock;

  always @(posedge clk_i) begin
    if (rst_ni) begin
      // The stages' side: what waits for a token is in its slot
      assume ((token_wait_i & ~occupied_i) == '0);
      // ... and a transfer under way is an instruction under way
      assume ((transfers_in_flight_i & ~in_flight_i) == '0);
      // The program's side: FINISH is dispatched before it retires, and is the last of the compute stage's instructions
      assume (!finish_retire_i || finish_dispatched_q);
      assume (!finish_dispatch_i || (!exhausted_i && !dispatch_stuck_i));
    end
  end

  // Whether another cause comes first, in the order in which they count
  logic f_other_cause;
  assign f_other_cause = read_error_i || write_error_i || (illegal_i != '0) || dispatch_illegal_i || no_finish;

  // A run from its start to its end; whether it was aborted, or took its cycles
  logic f_told_q;
  initial f_running_q = 1'b0;
  initial f_told_q = 1'b0;
  always @(posedge clk_i) begin
    if (!rst_ni || start_o)         f_told_q <= 1'b0;
    else if (abort_i || timed_out) f_told_q <= 1'b1;
  end
  always @(posedge clk_i) begin
    if (!rst_ni)      f_running_q <= 1'b0;
    else if (start_o) f_running_q <= 1'b1;
    else if (flush_o) f_running_q <= 1'b0;
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      RunsFromStartToFlush: assert (f_running_q == !idle_o);
      StartsOnlyWhenIdle: assert (!start_o || (idle_o && start_i));
      FlushesOnlyWhenDrained: assert (!flush_o || ((transfers_in_flight_i == '0) && fetch_idle_i && halt_o && !idle_o));
      DropsOnlyWhenTold: assert (!flush_o || drop_o || (in_flight_i == '0));
      DropsWithTheLastCycle: assert (!drop_o || (flush_o && f_told_q));
      NoDeadlockAfterCompletion: assert (!(complete_o && deadlock));
      if (f_past_q) begin
        // The verdict: given only when stuck, in the very cycle after, and always then
        if ($past(rst_ni) && f_verdict && !$past(f_verdict)) begin
          DeadlockOnlyWhenStuck: assert ($past(f_stuck && !complete_o));
        end
        if ($past(rst_ni && (state_q == Run) && f_stuck && !complete_o && !f_other_cause)) begin
          DeadlockWheneverStuck: assert (f_verdict && halt_o);
        end
        if ($past(rst_ni && (state_q == Run) && f_other_cause)) OtherCausesComeFirst: assert (halt_o && !f_verdict);
        if ($past(rst_ni && halt_o && !idle_o)) FirstCauseStays: assert ($stable(error_cause_o) && $stable(error_insn_o));
        if ($past(rst_ni && halt_o && !idle_o)) IssuesNoMoreOnceEnded: assert (halt_o);
        if ($past(rst_ni && (state_q == Run) && complete_o) && !f_verdict && ($past(cause) == vta_pkg::ErrNone)) begin
          CompletesWithoutAnError: assert (halt_o && (error_cause_o == vta_pkg::ErrNone));
        end
        if ($past(rst_ni && (state_q == Run) && !complete_o && (cause == vta_pkg::ErrNone))) begin
          GoesOnUntilItEnds: assert (!halt_o);
        end
        if ($past(rst_ni && halt_o && !idle_o && drained)) EndsWhenDrained: assert (idle_o);
      end
      cover (flush_o && f_verdict && (occupied_i == 3'b111));
      cover (flush_o && (error_cause_o == vta_pkg::ErrNone));
      cover (drop_o && (in_flight_i != '0));
    end
  end
