// SPDX-License-Identifier: Apache-2.0
// Properties of vta_store's port, included at its end. Transfers are any, and so are the lengths of their bursts; the walks
// of addresses and of data cut them at the same places, which vta_burst and vta_store_pack are proved to do. Memory takes
// addresses and data independently of each other, and answers a burst that it has whole.

  logic f_past_q;
  initial assume (!rst_ni);
  initial f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= rst_ni;

  logic f_begins;   // a store that moves something
  assign f_begins = issue_o && !empty;

  // Bursts that were sent: whose data are not all sent, and whose response is to come
  localparam int FBursts = vta_pkg::WriteBursts;
  localparam int FPtrW   = $clog2(FBursts);
  localparam int FCountW = $clog2(FBursts + 1);
  logic [LenW-1:0]    f_lens [FBursts];
  logic [FPtrW-1:0]   f_rd_q;
  logic [FCountW-1:0] f_sending_q, f_due_q;
  logic [LenW-1:0]    f_beats_q;   // of the burst whose data are sent
  // Bursts that memory took the address of, the data of, and has not answered
  logic [FCountW-1:0] f_taken_q, f_whole_q;
  logic               f_burst_sent;
  assign f_burst_sent = data_sent && (f_beats_q == f_lens[f_rd_q]);

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      f_rd_q      <= '0;
      f_sending_q <= '0;
      f_due_q     <= '0;
      f_beats_q   <= '0;
      f_taken_q   <= '0;
      f_whole_q   <= '0;
    end else begin
      assume (!b_valid_i || ((f_taken_q != '0) && (f_whole_q != '0)));
      if (address_sent) f_lens[FPtrW'(f_rd_q + FPtrW'(f_sending_q))] <= burst_len;
      if (f_burst_sent) f_rd_q    <= f_rd_q + 1'b1;
      if (data_sent)    f_beats_q <= f_burst_sent ? '0 : f_beats_q + 1'b1;
      f_sending_q <= f_sending_q + FCountW'(address_sent) - FCountW'(f_burst_sent);
      f_due_q     <= f_due_q + FCountW'(address_sent) - FCountW'(response_q);
      f_taken_q   <= f_taken_q + FCountW'(aw_valid_o && aw_ready_i) - FCountW'(b_valid_i);
      f_whole_q   <= f_whole_q + FCountW'(w_valid_o && w_ready_i && w_last_o) - FCountW'(b_valid_i);
    end
  end

  // One store, any, is followed from its issue to its end
  localparam int FStoresW = $clog2(vta_pkg::Stores + 1);
  (* anyseq *) logic   f_pick;
  logic                f_seen_q, f_here_q, f_all_sent_q;   // issued; not retired; its last burst was sent
  logic                f_push_q;   // it pushes a token
  logic [FStoresW-1:0] f_stores_q, f_before_q;   // under way; of them before it
  logic [FCountW-1:0]  f_responses_q;   // to come before its last
  logic                f_its_last, f_ends;
  assign f_its_last = f_here_q && !f_all_sent_q && address_sent && burst_last;   // a new store waits for the one before
  assign f_ends     = f_here_q && f_all_sent_q && response_q && (f_responses_q == '0);

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
          f_responses_q <= f_due_q - FCountW'(response_q);
        end else if (f_all_sent_q && response_q) begin
          f_responses_q <= f_responses_q - 1'b1;
        end
        if (done) f_before_q <= f_before_q - 1'b1;
        if (done && (f_before_q == '0)) f_here_q <= 1'b0;
      end
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      DataOnlyBehindTheirAddress: assert (!data_sent || (f_sending_q != '0));
      LastMarksABurstsLastBeat: assert (!data_sent || (beat_last == (f_beats_q == f_lens[f_rd_q])));
      NoMoreThanWriteBursts: assert (f_due_q <= FCountW'(FBursts));
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
      if (f_past_q && $past(rst_ni && aw_valid_o && !aw_ready_i)) begin
        AddressStableUntilTaken: assert (aw_valid_o && $stable(aw_addr_o) && $stable(aw_len_o));
      end
      if (f_past_q && $past(rst_ni && w_valid_o && !w_ready_i)) begin
        DataStableUntilTaken: assert (w_valid_o && $stable(w_data_o) && $stable(w_strb_o) && $stable(w_last_o));
      end
      cover (f_seen_q && !f_here_q);
      cover (done && (f_stores_q > FStoresW'(1)));
      cover (data_sent && beat_last && (f_lens[f_rd_q] != '0) && (f_sending_q > FCountW'(1)));
    end
  end
