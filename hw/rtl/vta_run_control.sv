// SPDX-License-Identifier: Apache-2.0
// The life of a run: idle, running, draining. A run completes when FINISH and everything before it has retired, or fails
// with the first cause; either way what is under way ends before the queues are emptied and the core is idle again. Of a run
// that is aborted or takes too long only transfers end, as memory cannot take them back; the rest is dropped.
//
// Stages are numbered 0 load, 1 compute, 2 store.

`include "vta_assert.svh"

module vta_run_control #(
  localparam int IndexW = vta_pkg::InsnCountW,
  localparam int CauseW = vta_pkg::ErrorCauseW
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              start_i,   // ignored unless idle_o
  input  logic              abort_i,   // ignored if idle_o
  input  logic [31:0]       watchdog_i,   // of a run that starts, the cycles that it may take at most; 0: any

  // The stages: an instruction in the command queue, in the stage but not issued, issued but not retired, of those a
  // transfer; one that lacks nothing but tokens
  input  logic [2:0]        queue_valid_i,
  input  logic [2:0]        occupied_i,
  input  logic [2:0]        in_flight_i,
  input  logic [2:0]        transfers_in_flight_i,
  input  logic [2:0]        token_wait_i,

  // The program
  input  logic              finish_dispatch_i,
  input  logic              finish_retire_i,
  input  logic              exhausted_i,   // all instructions have left fetch
  input  logic              dispatch_stuck_i,   // the next one waits for room in a command queue
  input  logic              fetch_idle_i,

  // What may go wrong
  input  logic              read_error_i,
  input  logic              write_error_i,
  input  logic [2:0]        illegal_i,
  input  logic [IndexW-1:0] load_index_i,
  input  logic [IndexW-1:0] compute_index_i,
  input  logic [IndexW-1:0] store_index_i,
  input  logic              dispatch_illegal_i,
  input  logic [IndexW-1:0] dispatch_index_i,

  output logic              idle_o,
  output logic              start_o,
  output logic              halt_o,   // issue nothing more
  output logic              complete_o,   // nothing is left to be done
  output logic              flush_o,   // the run's last cycle: empty the queues
  output logic              drop_o,   // in that cycle: drop what is under way besides
  output logic [CauseW-1:0] error_cause_o,
  output logic [IndexW-1:0] error_insn_o
);

  typedef enum logic [1:0] {Idle, Run, Drain} state_e;
  state_e state_q, state_d;

  logic              finish_dispatched_q, finish_retired_q, no_finish, deadlock, drained, fail;
  logic [2:0]        stage_empty, stage_stuck;
  logic              drops_q, watched_q, timed_out;
  logic [31:0]       left_q;
  logic [CauseW-1:0] cause, cause_q;
  logic [IndexW-1:0] error_insn, error_insn_q;

  assign stage_empty = ~queue_valid_i & ~occupied_i & ~in_flight_i;
  assign stage_stuck = ~in_flight_i & (token_wait_i | stage_empty);

  assign start_o    = start_i && (state_q == Idle);
  assign complete_o = finish_retired_q && (&stage_empty);
  assign no_finish  = exhausted_i && !finish_dispatched_q;
  // Nothing is under way and every instruction that could go next lacks a token
  assign deadlock   = (&stage_stuck) && (dispatch_stuck_i || finish_dispatched_q) && !complete_o;
  // In the first cycle beyond the limit
  assign timed_out  = watched_q && (left_q == '0) && !complete_o;
  assign drained    = ((drops_q ? transfers_in_flight_i : in_flight_i) == '0) && fetch_idle_i;

  always_ff @(posedge clk_i) begin
    if (start_o) begin
      watched_q <= watchdog_i != '0;
      left_q    <= watchdog_i;
    end else begin
      left_q    <= left_q - 1'b1;
    end
  end

  always_comb begin
    cause      = vta_pkg::ErrNone;
    error_insn = '0;
    if (read_error_i) begin
      cause = vta_pkg::ErrReadError;
    end else if (write_error_i) begin
      cause = vta_pkg::ErrWriteError;
    end else if (illegal_i != '0) begin
      cause = vta_pkg::ErrIllegal;
      case (illegal_i & (~illegal_i + 3'd1))
        3'b001:  error_insn = load_index_i;
        3'b010:  error_insn = compute_index_i;
        default: error_insn = store_index_i;
      endcase
    end else if (dispatch_illegal_i) begin
      cause      = vta_pkg::ErrDecode;
      error_insn = dispatch_index_i;
    end else if (no_finish) begin
      cause = vta_pkg::ErrNoFinish;
    end else if (deadlock) begin
      cause = vta_pkg::ErrDeadlock;
    end else if (abort_i) begin
      cause = vta_pkg::ErrAborted;
    end else if (timed_out) begin
      cause = vta_pkg::ErrTimedOut;
    end
  end

  assign fail = (state_q == Run) && (cause != vta_pkg::ErrNone);

  always_comb begin
    state_d = state_q;
    case (state_q)
      Idle:    if (start_o) state_d = Run;
      Run:     if (complete_o || fail) state_d = Drain;
      default: if (drained) state_d = Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q             <= Idle;
      finish_dispatched_q <= 1'b0;
      finish_retired_q    <= 1'b0;
      drops_q             <= 1'b0;
      cause_q             <= '0;
      error_insn_q        <= '0;
    end else begin
      state_q <= state_d;
      if (start_o) begin
        finish_dispatched_q <= 1'b0;
        finish_retired_q    <= 1'b0;
        drops_q             <= 1'b0;
        cause_q             <= '0;
        error_insn_q        <= '0;
      end else begin
        if (finish_dispatch_i) finish_dispatched_q <= 1'b1;
        if (finish_retire_i)   finish_retired_q    <= 1'b1;
        // Also of a run that has failed already, which may wait for a nest of hours
        if (abort_i || timed_out) drops_q <= 1'b1;
        if (fail) begin
          cause_q      <= cause;
          error_insn_q <= error_insn;
        end
      end
    end
  end

  assign idle_o        = state_q == Idle;
  assign halt_o        = state_q != Run;
  assign flush_o       = (state_q == Drain) && drained;
  assign drop_o        = flush_o && drops_q;
  assign error_cause_o = cause_q;
  assign error_insn_o  = error_insn_q;

  `VTA_STATIC_ASSERT(HaltIsBehindOneRegister, vta_pkg::Stop == 1)

`ifdef FORMAL
`include "vta_run_control.formal.svh"
`endif

endmodule
