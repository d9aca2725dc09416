// SPDX-License-Identifier: Apache-2.0
// Properties of vta_dma_read, included at its end: its credits. Bursts are of any lengths and the walk takes beats whenever
// it likes; memory gives no beat that was not asked for. One transfer, any, is followed from its start to its end.

  initial assume (!rst_ni);

  localparam int FCountW = $clog2(BufferBeats + 1);
  logic [FCountW:0] f_asked_q;   // beats asked for that have not come
  logic [FCountW-1:0] f_held_q;  // beats that came and were not taken by the walk
  logic             f_waits_q;
  initial f_waits_q = 1'b0;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      f_asked_q <= '0;
      f_held_q  <= '0;
      f_waits_q <= 1'b0;
    end else begin
      assume (!beat_valid_i || (f_asked_q != '0));
      f_asked_q <= f_asked_q + ((burst_valid_o && burst_ready_i) ? (FCountW + 1)'(burst_len_o) + 1'b1 : '0) -
                   (FCountW + 1)'(beat_valid_i);
      f_held_q  <= f_held_q + FCountW'(beat_valid_i) - FCountW'(pop);
      f_waits_q <= burst_valid_o && !burst_ready_i;
    end
  end

  localparam int FTransfersW = $clog2(Transfers + 4);
  (* anyseq *) logic      f_pick;
  logic                   f_seen_q, f_here_q;
  logic [TagW-1:0]        f_tag_q;
  logic [FTransfersW-1:0] f_transfers_q, f_before_q;   // under way; of them before it

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      f_seen_q      <= 1'b0;
      f_here_q      <= 1'b0;
      f_transfers_q <= '0;
    end else begin
      f_transfers_q <= f_transfers_q + FTransfersW'(start) - FTransfersW'(done_o);
      if (start && f_pick && !f_seen_q) begin
        f_seen_q   <= 1'b1;
        f_here_q   <= 1'b1;
        f_tag_q    <= tag_i;
        f_before_q <= f_transfers_q - FTransfersW'(done_o);
      end else if (done_o && f_here_q) begin
        if (f_before_q == '0) f_here_q <= 1'b0;
        f_before_q <= f_before_q - 1'b1;
      end
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      // Some wait, and one is walked or has ended and is told in this cycle: as many as its users have room to count
      NoMoreTransfersThanAreCounted: assert (32'(f_transfers_q) <= Transfers + 1);
      EndsOnlyWhatBegan: assert (!done_o || (f_transfers_q != '0));
      if (f_here_q && done_o && (f_before_q == '0)) EndsInOrderWithItsTag: assert (tag_o == f_tag_q);
      cover (32'(f_transfers_q) == Transfers + 1);
      PromisesWhatIsHeldOrUnderWay: assert (32'(promised_q) == 32'(f_asked_q) + 32'(f_held_q));
      NeverPromisesMoreThanFits: assert (32'(promised_q) <= BufferBeats);
      AsksOnlyForWhatFits: assert (!burst_valid_o || (32'(f_asked_q) + 32'(f_held_q) + 32'(burst_len_o) < BufferBeats));
      GivesWhateverCame: assert (beat_valid == (f_held_q != '0));
      TakesABeatOnlyForTheWalk: assert (!pop || (beat_valid && beat_ready));
      StartsWhenBothCan: assert (!start || (burst_start_ready && turn_ready));
      if (f_waits_q) AsksUntilItIsGranted: assert (burst_valid_o);
      cover (32'(promised_q) == BufferBeats);
      cover (32'(f_held_q) == BufferBeats);
      cover (burst_valid && !has_room);
    end
  end
