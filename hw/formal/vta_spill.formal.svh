// SPDX-License-Identifier: Apache-2.0
// Properties of vta_spill, included at its end. One value, any, is followed from its push on: it comes out once, in its
// turn, unchanged; what is shown stays until it is taken.

  (* anyconst *) logic [Width-1:0] f_value;
  (* anyseq *)   logic             f_pick;
  logic       f_past_q, f_seen_q, f_inside_q, f_enters;
  logic [1:0] f_held_q, f_ahead_q;   // words inside; before the value

  initial assume (!rst_ni);
  initial f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= rst_ni;

  logic f_push, f_pop;
  assign f_push   = valid_i && ready_o;
  assign f_pop    = valid_o && ready_i;
  assign f_enters = f_push && f_pick && !f_seen_q;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      f_seen_q   <= 1'b0;
      f_inside_q <= 1'b0;
      f_held_q   <= '0;
    end else begin
      f_held_q <= f_held_q + 2'(f_push) - 2'(f_pop);
      if (f_enters) begin
        assume (data_i == f_value);
        f_seen_q   <= 1'b1;
        f_inside_q <= 1'b1;
        f_ahead_q  <= f_held_q - 2'(f_pop);
      end else if (f_inside_q && f_pop) begin
        if (f_ahead_q == '0) f_inside_q <= 1'b0;
        f_ahead_q <= f_ahead_q - 1'b1;
      end
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      ShowsWhatItHolds: assert (valid_o == (f_held_q != '0));
      HoldsTwoAtMost: assert (f_held_q <= 2'd2);
      TakesWhileItHoldsLess: assert (ready_o == (f_held_q < 2'd2));
      if (f_inside_q) StaysInside: assert (f_ahead_q < f_held_q);
      if (f_inside_q && (f_ahead_q == '0)) ComesOutInItsTurn: assert (data_o == f_value);
      if (f_past_q && $past(rst_ni && valid_o && !ready_i)) StableUntilTaken: assert (valid_o && $stable(data_o));
      cover (f_seen_q && !f_inside_q);
      cover (f_held_q == 2'd2);
    end
  end
