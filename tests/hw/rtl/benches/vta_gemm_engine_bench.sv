// SPDX-License-Identifier: Apache-2.0
// The GEMM engine against the loop nest of the instruction set: instructions that follow each other at once or after a
// while, few destinations, so that sums meet in every stage of the pipeline. A step a cycle, always.
module vta_gemm_engine_bench;
  `include "bench.svh"
  `include "insn.svh"

  localparam int InsnW    = vta_pkg::InsnW;
  localparam int Batch    = vta_pkg::Batch;
  localparam int BlockIn  = vta_pkg::BlockIn;
  localparam int BlockOut = vta_pkg::BlockOut;
  localparam int InpW     = vta_pkg::InpW;
  localparam int WgtW     = vta_pkg::WgtW;
  localparam int AccW     = vta_pkg::AccW;
  localparam int InpElemW = 8 << vta_pkg::InpElemLog;
  localparam int WgtElemW = 8 << vta_pkg::WgtElemLog;
  localparam int AccElemW = 8 << vta_pkg::AccElemLog;
  localparam int Insns    = 60;

  // Scratchpads: as much of each as the bench uses
  localparam int Uops = (vta_pkg::UopDepth < 32) ? vta_pkg::UopDepth : 32;
  localparam int Inps = (vta_pkg::InpDepth < 32) ? vta_pkg::InpDepth : 32;
  localparam int Wgts = (vta_pkg::WgtDepth < 16) ? vta_pkg::WgtDepth : 16;
  localparam int Accs = (vta_pkg::AccDepth < 32) ? vta_pkg::AccDepth : 32;
  logic [31:0]         uops [Uops];
  logic [InpElemW-1:0] inps [Inps];
  logic [WgtElemW-1:0] wgts [Wgts];
  logic [AccElemW-1:0] accs [Accs], model [Accs];

  logic                          start = 1'b0, uop_rd_en, operands_rd_en, acc_rd_en, acc_wr_en, step, done;
  logic                          first_step, last_step;
  logic [vta_pkg::InsnW-1:0]     insn = '0;
  logic [1:0]                    halves = '0, released;
  logic [vta_pkg::UopIndexW-1:0] uop_rd_index;
  logic [vta_pkg::InpIndexW-1:0] inp_rd_index;
  logic [vta_pkg::WgtIndexW-1:0] wgt_rd_index;
  logic [vta_pkg::AccIndexW-1:0] acc_rd_index, acc_wr_index;
  logic [31:0]                   uop = '0;
  logic [InpElemW-1:0]           inp = '0;
  logic [WgtElemW-1:0]           wgt = '0;
  logic [AccElemW-1:0]           acc = '0, acc_wr_data;

  vta_gemm_engine u_dut (
    .clk_i           (clk),
    .rst_ni          (rst_n),
    .start_i         (start),
    .insn_i          (insn),
    .halves_i        (halves),
    .uop_rd_en_o     (uop_rd_en),
    .uop_rd_index_o  (uop_rd_index),
    .uop_i           (uop),
    .operands_rd_en_o(operands_rd_en),
    .inp_rd_index_o  (inp_rd_index),
    .inp_i           (inp),
    .wgt_rd_index_o  (wgt_rd_index),
    .wgt_i           (wgt),
    .acc_rd_en_o     (acc_rd_en),
    .acc_rd_index_o  (acc_rd_index),
    .acc_i           (acc),
    .acc_wr_en_o     (acc_wr_en),
    .acc_wr_index_o  (acc_wr_index),
    .acc_wr_data_o   (acc_wr_data),
    .step_o          (step),
    .first_step_o    (first_step),
    .last_step_o     (last_step),
    .release_o       (released),
    .done_o          (done)
  );

  // What the engine reads: the data come a cycle later. An accumulator that is written while it is read may come out as
  // anything.
  always @(posedge clk) begin
    if (uop_rd_en) uop <= uops[uop_rd_index];
    if (operands_rd_en) begin
      inp <= inps[inp_rd_index];
      wgt <= wgts[wgt_rd_index];
    end
    if (acc_rd_en) begin
      acc <= (acc_wr_en && acc_wr_index == acc_rd_index) ? {AccElemW{1'bx}} : accs[acc_rd_index];
    end
    if (acc_wr_en) accs[acc_wr_index] <= acc_wr_data;
  end

  task automatic choose;
    int iter_out, iter_in, bgn, count;
    iter_out = 1 + below(3);
    iter_in  = 1 + below(3);
    bgn      = below(Uops);
    count    = 1 + below((Uops - bgn < 5) ? Uops - bgn : 5);
    insn = InsnW'(random_bits());
    insn = with_gemm_opcode(insn, vta_pkg::OpGemm);
    insn = with_gemm_reset(insn, 0);
    insn = with_gemm_uop_bgn(insn, bgn);
    insn = with_gemm_uop_end(insn, bgn + count);
    insn = with_gemm_iter_out(insn, iter_out);
    insn = with_gemm_iter_in(insn, iter_in);
    // Micro-ops reach half a scratchpad, the loops together what is left
    insn = with_gemm_dst_factor_out(insn, below(Accs / 8 + 1));
    insn = with_gemm_dst_factor_in(insn, below(Accs / 8 + 1));
    insn = with_gemm_src_factor_out(insn, below(Inps / 8 + 1));
    insn = with_gemm_src_factor_in(insn, below(Inps / 8 + 1));
    insn = with_gemm_wgt_factor_out(insn, below(Wgts / 8 + 1));
    insn = with_gemm_wgt_factor_in(insn, below(Wgts / 8 + 1));
    halves = 2'(1 + below(3));
  endtask

  task automatic accumulate(input int dst, input int src, input int w);
    logic signed [63:0] total;
    for (int b = 0; b < Batch; b++) begin
      for (int o = 0; o < BlockOut; o++) begin
        total = 64'($signed(model[dst][(b*BlockOut + o)*AccW +: AccW]));
        for (int i = 0; i < BlockIn; i++) begin
          total = total + 64'($signed(inps[src][(b*BlockIn + i)*InpW +: InpW])) *
                          64'($signed(wgts[w][(o*BlockIn + i)*WgtW +: WgtW]));
        end
        model[dst][(b*BlockOut + o)*AccW +: AccW] = AccW'(total);
      end
    end
  endtask

  int         started = 0, ended = 0, start_percent = 50;
  // Of the instructions under way: steps to come; halves to be released
  int         lefts [$];
  logic [1:0] releases [$];
  logic       waits = 1'b0;   // one for its first step, when no other may start
  logic       is_first = 1'b1, is_last;
  logic [6:1] last_steps = '0;   // that so many cycles ago an instruction's last step was made

  // The nest, as docs/isa.md writes it
  task automatic note;
    int steps;
    steps = 0;
    for (int i0 = 0; i0 < int'(vta_pkg::gemm_iter_out(insn)); i0++) begin
      for (int i1 = 0; i1 < int'(vta_pkg::gemm_iter_in(insn)); i1++) begin
        for (int u = int'(vta_pkg::gemm_uop_bgn(insn)); u < int'(vta_pkg::gemm_uop_end(insn)); u++) begin
          accumulate(int'(vta_pkg::uop_dst_idx(uops[u])) + i0 * int'(vta_pkg::gemm_dst_factor_out(insn)) +
                         i1 * int'(vta_pkg::gemm_dst_factor_in(insn)),
                     int'(vta_pkg::uop_src_idx(uops[u])) + i0 * int'(vta_pkg::gemm_src_factor_out(insn)) +
                         i1 * int'(vta_pkg::gemm_src_factor_in(insn)),
                     int'(vta_pkg::uop_wgt_idx(uops[u])) + i0 * int'(vta_pkg::gemm_wgt_factor_out(insn)) +
                         i1 * int'(vta_pkg::gemm_wgt_factor_in(insn)));
          steps = steps + 1;
        end
      end
    end
    lefts.push_back(steps);
    releases.push_back(halves);
    started = started + 1;
  endtask

  initial begin
    #1;  // The seed is there
    for (int i = 0; i < Uops; i++) begin
      uops[i] = with_uop_dst_idx(with_uop_src_idx(with_uop_wgt_idx(0, below((Wgts + 1) / 2)), below((Inps + 1) / 2)),
                                 below((Accs + 1) / 2));
    end
    for (int i = 0; i < Inps; i++) for (int l = 0; l < InpElemW; l = l + 8) inps[i][l +: 8] = 8'(below(256));
    for (int i = 0; i < Wgts; i++) for (int l = 0; l < WgtElemW; l = l + 8) wgts[i][l +: 8] = 8'(below(256));
    for (int i = 0; i < Accs; i++) begin
      for (int l = 0; l < AccElemW; l = l + 8) accs[i][l +: 8] = 8'(below(256));
      model[i] = accs[i];
    end
  end

  always @(negedge clk) begin
    if (cycle % 64 == 0) start_percent = percentage();
    start = rst_n && !waits && (started < Insns) && chance(start_percent);
    if (start) choose();
  end

  always @(posedge clk) if (rst_n) begin
    `CHECK(step == (lefts.size() > 0))
    `CHECK(first_step == (step && is_first))
    is_last = 1'b0;
    if (step) begin
      if (is_first) waits = 1'b0;
      lefts[0] = lefts[0] - 1;
      is_last  = lefts[0] == 0;
      is_first = is_last;
      if (is_last) lefts.delete(0);
    end
    `CHECK(last_step == is_last)
    // The accumulator is read four cycles after the step and written two later: not a cycle too soon
    `CHECK(released == (last_steps[3] ? releases[0] : 2'b00))
    if (last_steps[3]) releases.delete(0);
    `CHECK(done == last_steps[6])
    if (done) begin
      `CHECK(acc_wr_en)
      ended = ended + 1;
    end
    last_steps = {last_steps[5:1], is_last};
    if (start) begin
      note();
      waits = 1'b1;
    end
    if (ended == Insns && !acc_wr_en) begin
      for (int i = 0; i < Accs; i++) begin
        `CHECK(accs[i] == model[i])
      end
      pass();
    end
    `CHECK(cycle < 100000)
  end
endmodule
