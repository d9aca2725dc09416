// SPDX-License-Identifier: Apache-2.0
// Properties of vta_fifo, included at its end. One value, any, is followed from its push on: it comes out once, in its turn,
// unchanged. All of them together mean no loss, no duplication, no reordering.

  (* anyconst *) logic [Width-1:0] f_value;
  (* anyseq *)   logic             f_pick;
  logic              f_seen_q, f_inside_q;
  logic [CountW-1:0] f_ahead_q;   // entries before it
  logic              f_enters;

  initial assume (!rst_ni);
  initial f_seen_q = 1'b0;
  initial f_inside_q = 1'b0;

  assign f_enters = push && f_pick && !f_seen_q && !flush_i;

  always @(posedge clk_i) begin
    if (!rst_ni || flush_i) begin
      f_seen_q   <= 1'b0;
      f_inside_q <= 1'b0;
    end else begin
      if (f_enters) begin
        assume (data_i == f_value);
        f_seen_q   <= 1'b1;
        f_inside_q <= 1'b1;
        f_ahead_q  <= count_q - CountW'(pop);
      end else if (f_inside_q && pop) begin
        if (f_ahead_q == '0) begin
          f_inside_q <= 1'b0;
        end else begin
          f_ahead_q <= f_ahead_q - 1'b1;
        end
      end
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      // Holds what was pushed and not popped
      CountIsTheDistance: assert (PtrW'(count_q) == PtrW'(wr_q - rd_q));
      // Progress: it takes what there is room for, and gives what it holds
      TakesWhileThereIsRoom: assert (ready_o == (count_q < CountW'(Depth)));
      GivesWhatItHolds: assert (valid_o == (count_q != '0));
      if (count_q != '0) GivesItsHead: assert (data_o == mem[rd_q]);
      if (f_inside_q) begin
        StaysInside: assert (f_ahead_q < count_q);
        StaysUnchanged: assert (mem[PtrW'(rd_q + PtrW'(f_ahead_q))] == f_value);
        if (f_ahead_q == '0) ComesOutInItsTurn: assert (data_o == f_value);
      end
      // The whole way happens
      cover (f_seen_q && !f_inside_q);
      cover (count_q == CountW'(Depth));
    end
  end
