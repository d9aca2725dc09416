// SPDX-License-Identifier: Apache-2.0
// Properties of vta_axi_write, included at its end, with its spill registers and queues inside. Bursts and beats come at any
// time; memory takes addresses and data independently of each other, and answers a burst that it has whole. The requester
// may be reset at any time, and the port with it or not: what is said of memory goes on over a reset of the requester alone.

  logic f_past_q, f_port_past_q;
  initial assume (!port_rst_ni);
  initial f_past_q = 1'b0;
  initial f_port_past_q = 1'b0;
  always @(posedge clk_i) begin
    assume (port_rst_ni || !rst_ni);
    f_past_q      <= rst_ni;
    f_port_past_q <= port_rst_ni;
  end

  // Bursts whose addresses were sent, by their beats: whose data were not all sent; and that were not answered
  localparam int FPtrW   = $clog2(Bursts);
  localparam int FCountW = $clog2(Bursts + 1);
  logic [LenW-1:0]    f_lens [Bursts];
  logic [FPtrW-1:0]   f_rd_q;
  logic [FCountW-1:0] f_sending_q, f_due_q;
  logic [LenW-1:0]    f_beats_q;   // of the burst whose data are sent
  // Bursts that memory took the address of, the data of, and has not answered
  logic [FCountW-1:0] f_taken_q, f_whole_q;
  logic               f_sent;
  assign f_sent = burst_valid_i && burst_ready_o;

  always @(posedge clk_i) begin
    if (!port_rst_ni) begin
      f_rd_q      <= '0;
      f_sending_q <= '0;
      f_due_q     <= '0;
      f_beats_q   <= '0;
      f_taken_q   <= '0;
      f_whole_q   <= '0;
    end else begin
      assume (!b_valid_i || ((f_taken_q != '0) && (f_whole_q != '0)));
      if (f_sent) f_lens[FPtrW'(f_rd_q + FPtrW'(f_sending_q))] <= burst_len_i;
      if (data_sent) begin
        f_beats_q <= last ? '0 : f_beats_q + 1'b1;
        if (last) f_rd_q <= f_rd_q + 1'b1;
      end
      f_sending_q <= f_sending_q + FCountW'(f_sent) - FCountW'(data_sent && last);
      f_due_q     <= f_due_q + FCountW'(f_sent) - FCountW'(response_q);
      f_taken_q   <= f_taken_q + FCountW'(aw_valid_o && aw_ready_i) - FCountW'(b_valid_i);
      f_whole_q   <= f_whole_q + FCountW'(w_valid_o && w_ready_i && w_last_o) - FCountW'(b_valid_i);
    end
  end

  // Those that the requester sent since its reset
  logic [FCountW-1:0] f_asked_q;
  always @(posedge clk_i) begin
    if (!rst_ni) f_asked_q <= '0;
    else         f_asked_q <= f_asked_q + FCountW'(f_sent) - FCountW'(response_o);
  end

  // One burst, any, is followed from when it was sent to its response, and its address until it is taken
  (* anyseq *) logic            f_pick;
  logic                         f_seen_q, f_here_q, f_shown_q, f_mark_q;
  logic [vta_pkg::AddressW-1:0] f_addr_q;
  logic [LenW-1:0]              f_len_q;
  logic [FCountW-1:0]           f_ahead_q, f_addresses_q;   // bursts before it: not answered, not addressed
  logic [FCountW-1:0]           f_unshown;   // sent, and not taken by memory
  assign f_unshown = FCountW'(aw_valid_o) + FCountW'(!address_ready);

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      f_seen_q <= 1'b0;
      f_here_q <= 1'b0;
    end else if (f_sent && f_pick && !f_seen_q) begin
      f_seen_q      <= 1'b1;
      f_here_q      <= 1'b1;
      f_shown_q     <= 1'b0;
      f_mark_q      <= burst_mark_i;
      f_addr_q      <= burst_addr_i;
      f_len_q       <= burst_len_i;
      f_ahead_q     <= f_due_q - FCountW'(response_q);
      f_addresses_q <= f_unshown - FCountW'(aw_valid_o && aw_ready_i);
    end else if (f_here_q) begin
      if (aw_valid_o && aw_ready_i && !f_shown_q) begin
        if (f_addresses_q == '0) f_shown_q <= 1'b1;
        f_addresses_q <= f_addresses_q - 1'b1;
      end
      if (response_q) begin
        if (f_ahead_q == '0) f_here_q <= 1'b0;
        f_ahead_q <= f_ahead_q - 1'b1;
      end
    end
  end

  // The requester's side
  always @(posedge clk_i) begin
    if (rst_ni) begin
      TakesNothingBehindAReset: assert (!drain_q || (!burst_ready_o && !beat_ready_o && (f_asked_q == '0)));
      CountsBurstsUnderWay: assert (drain_q || (f_asked_q == f_due_q));
      IdleWhenNothingIsUnderWay: assert (idle_o == (f_asked_q == '0));
      AnswersOnlyWhatWasSent: assert (!response_o || (f_asked_q != '0));
      if (f_past_q) begin
        GivesEveryResponseOnce: assert (response_o == ($past(b_valid_i) && !drain_q));
        GivesResponsesAsTheyCame: assert (!response_o || (response_error_o == $past(b_resp_i[1])));
      end
      if (f_here_q) begin
        StaysInTheQueue: assert ((f_ahead_q < f_due_q) && (f_shown_q || (f_addresses_q < f_unshown)));
        if (!f_shown_q && aw_valid_o && (f_addresses_q == '0)) begin
          ShowsWhatWasAskedFor: assert ((aw_addr_o == f_addr_q) && (LenW'(aw_len_o) == f_len_q));
        end
        if (response_o && (f_ahead_q == '0)) MarksComeBack: assert (response_mark_o == f_mark_q);
      end
      cover (f_seen_q && !f_here_q && (f_len_q != '0));
      cover (f_asked_q == FCountW'(Bursts));
      cover (drain_q && data_sent && (len != '0));
      cover (!f_here_q && drain_q && response_q);
    end
  end

  // The port's side, whatever the requester does
  always @(posedge clk_i) begin
    if (port_rst_ni) begin
      AlwaysTakesResponses: assert (b_ready_o);
      KnowsWhatIsUnderWay: assert (f_due_q == f_taken_q + f_unshown + FCountW'(response_q));
      NoMoreThanBursts: assert (f_due_q <= FCountW'(Bursts));
      DataOnlyBehindTheirAddress: assert (!data_sent || (f_sending_q != '0));
      LastMarksABurstsLastBeat: assert (!data_sent || (last == (f_beats_q == f_lens[f_rd_q])));
      SendsWhatTheRequesterGives: assert (drain_q || (data_sent == (beat_valid_i && beat_ready_o)));
      if (f_port_past_q && $past(port_rst_ni && data_sent && data_ready && !w_valid_o)) begin
        WritesNothingAfterAReset: assert (w_valid_o && ($past(drain_q) ? (w_strb_o == '0) :
                                                        ((w_strb_o == $past(beat_strb_i)) &&
                                                         (w_data_o == $past(beat_data_i)))));
      end
      if (f_port_past_q && $past(port_rst_ni && aw_valid_o && !aw_ready_i)) begin
        AddressStableUntilTaken: assert (aw_valid_o && $stable(aw_addr_o) && $stable(aw_len_o));
      end
      if (f_port_past_q && $past(port_rst_ni && w_valid_o && !w_ready_i)) begin
        DataStableUntilTaken: assert (w_valid_o && $stable(w_data_o) && $stable(w_strb_o) && $stable(w_last_o));
      end
    end
  end
