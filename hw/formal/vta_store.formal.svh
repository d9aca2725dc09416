// SPDX-License-Identifier: Apache-2.0
// Properties of vta_store, included at its end. Transfers are any, and so are the lengths of their bursts; the port, which is
// proved by itself, answers bursts in their order. It is reset with the stage.

  initial assume (!rst_ni);
  always @(posedge clk_i) assume (port_rst_ni == rst_ni);

  logic f_begins;   // a store that moves something
  assign f_begins = issue_o && !empty;

  // Bursts whose response is to come
  localparam int FCountW = $clog2(vta_pkg::WriteBursts + 1);
  logic [FCountW-1:0] f_due_q;
  logic               f_sent;
  assign f_sent = burst_valid && burst_ready;

  always @(posedge clk_i) begin
    if (!rst_ni) f_due_q <= '0;
    else         f_due_q <= f_due_q + FCountW'(f_sent) - FCountW'(response);
  end

  // One store, any, is followed from its issue to its end
  localparam int FStoresW = $clog2(vta_pkg::Stores + 1);
  (* anyseq *) logic   f_pick;
  logic                f_seen_q, f_here_q, f_all_sent_q;   // issued; not retired; its last burst was sent
  logic                f_push_q;   // it pushes a token
  logic [FStoresW-1:0] f_stores_q, f_before_q;   // under way; of them before it
  logic [FCountW-1:0]  f_responses_q;   // to come before its last
  logic                f_its_last, f_ends;
  assign f_its_last = f_here_q && !f_all_sent_q && f_sent && burst_last;   // a new store waits for the one before
  assign f_ends     = f_here_q && f_all_sent_q && response && (f_responses_q == '0);

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      f_seen_q   <= 1'b0;
      f_here_q   <= 1'b0;
      f_stores_q <= '0;
    end else begin
      f_stores_q <= f_stores_q + FStoresW'(f_begins) - FStoresW'(done);
      if (f_begins && f_pick && !f_seen_q) begin
        f_seen_q     <= 1'b1;
        f_here_q     <= 1'b1;
        f_all_sent_q <= 1'b0;
        f_push_q     <= push_prev;
        f_before_q   <= f_stores_q - FStoresW'(done);
      end else if (f_here_q) begin
        if (f_its_last) begin
          f_all_sent_q  <= 1'b1;
          f_responses_q <= f_due_q - FCountW'(response);
        end else if (f_all_sent_q && response) begin
          f_responses_q <= f_responses_q - 1'b1;
        end
        if (done) f_before_q <= f_before_q - 1'b1;
        if (done && (f_before_q == '0)) f_here_q <= 1'b0;
      end
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      NoMoreThanStores: assert (f_stores_q <= FStoresW'(vta_pkg::Stores));
      RetiresOnlyWhatIsUnderWay: assert (!done || (f_stores_q != '0));
      RetiresOneACycle: assert (!(done && issue_o && empty));
      InFlightWhileStoresAre: assert (in_flight_o == (f_stores_q != '0));
      PopsAtIssueWhatIsAvailable: assert ((token_pop_o == (issue_o && pop_prev)) && (!token_pop_o || token_available_i));
      PushesOnlyAtRetirement: assert (!token_push_o || retire_o);
      if (f_here_q) begin
        RetiresWithItsLastResponse: assert ((done && (f_before_q == '0)) == f_ends);
        if (f_ends) PushesAsItsFlagSays: assert (token_push_o == f_push_q);
      end
      cover (f_seen_q && !f_here_q);
      cover (done && (f_stores_q > FStoresW'(1)));
    end
  end
