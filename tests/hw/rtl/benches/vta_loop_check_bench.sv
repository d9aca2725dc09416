// SPDX-License-Identifier: Apache-2.0
// The check of GEMM and ALU against the loop nest of the instruction set, walked step by step: is every index that is used
// inside its scratchpad, which halves of the accumulators are touched, may a source be held; and how long it takes.
module vta_loop_check_bench;
  `include "bench.svh"
  `include "insn.svh"

  localparam int InsnW = vta_pkg::InsnW;
  localparam int Insns = 500;
  localparam int Uops  = (vta_pkg::UopDepth < 32) ? vta_pkg::UopDepth : 32;

  logic [31:0]                   uops [Uops];
  logic                          flush = 1'b0, start = 1'b0, done, uop_rd_en, legal, empty, may_hold;
  logic [InsnW-1:0]              insn = '0;
  logic [vta_pkg::UopIndexW-1:0] uop_rd_index;
  logic [31:0]                   uop = '0;
  logic [1:0]                    halves;

  vta_loop_check u_dut (
    .clk_i         (clk),
    .rst_ni        (rst_n),
    .flush_i       (flush),
    .start_i       (start),
    .insn_i        (insn),
    .done_o        (done),
    .uop_rd_en_o   (uop_rd_en),
    .uop_rd_index_o(uop_rd_index),
    .uop_i         (uop),
    .legal_o       (legal),
    .empty_o       (empty),
    .halves_o      (halves),
    .may_hold_o    (may_hold)
  );

  always @(posedge clk) if (uop_rd_en) uop <= uops[uop_rd_index];

  // An index near the scratchpad's beginning, middle or end
  function automatic int index(input int depth);
    int near;
    near = below(6);
    case (below(3))
      0:       index = near;
      1:       index = depth / 2 - 3 + near;
      default: index = depth - 1 - near;
    endcase
    if (index < 0 || index >= depth) index = below(depth);
  endfunction

  function automatic int factor();
    factor = (below(2) == 0) ? 0 : below(4);
  endfunction

  task automatic choose;
    int bgn, count;
    bgn   = below(Uops);
    count = below((Uops - bgn < 5) ? Uops - bgn + 1 : 6);
    insn  = InsnW'(random_bits());
    if (below(2) == 0) begin
      insn = with_gemm_opcode(insn, vta_pkg::OpGemm);
      insn = with_gemm_wgt_factor_out(insn, factor());
      insn = with_gemm_wgt_factor_in(insn, factor());
      insn = with_gemm_src_factor_out(insn, factor());
      insn = with_gemm_src_factor_in(insn, factor());
    end else begin
      insn = with_alu_opcode(insn, vta_pkg::OpAlu);
      insn = with_alu_use_imm(insn, (below(4) == 0) ? 1 : 0);
      insn = with_alu_src_factor_out(insn, factor());
      insn = with_alu_src_factor_in(insn, factor());
    end
    insn = with_gemm_uop_bgn(insn, bgn);
    insn = with_gemm_uop_end(insn, bgn + count);
    // Of an empty range micro-ops are not read, nor of one that ends before it begins or too late
    if (below(20) == 0) insn = with_gemm_uop_end(insn, (below(2) == 0) ? below(bgn + 1) : vta_pkg::UopDepth + below(3));
    insn = with_gemm_iter_out(insn, (below(20) == 0) ? 0 : 1 + below(3));
    insn = with_gemm_iter_in(insn, (below(20) == 0) ? 0 : 1 + below(3));
    insn = with_gemm_dst_factor_out(insn, factor());
    insn = with_gemm_dst_factor_in(insn, factor());
    for (int i = 0; i < Uops; i++) begin
      uops[i] = 32'($random(seed));
      uops[i] = with_uop_dst_idx(uops[i], index(vta_pkg::AccDepth));
      uops[i] = with_uop_src_idx(uops[i], index((below(2) == 0) ? vta_pkg::InpDepth : vta_pkg::AccDepth));
      uops[i] = with_uop_wgt_idx(uops[i], index(vta_pkg::WgtDepth));
    end
  endtask

  // What is expected of the last start
  logic       expected_legal, expected_empty, expected_hold, is_gemm, reads_inp, reads_acc;
  logic [1:0] expected_halves;
  int         left = -1;   // cycles until it is done

  task automatic note;
    int bgn, stop, dst, src, wgt, dst_least, dst_most, src_least, src_most, count;
    bgn             = int'(vta_pkg::gemm_uop_bgn(insn));
    stop            = int'(vta_pkg::gemm_uop_end(insn));
    is_gemm         = vta_pkg::gemm_opcode(insn) == 3'(vta_pkg::OpGemm);
    reads_inp       = is_gemm && !vta_pkg::gemm_reset(insn);
    reads_acc       = !is_gemm && !vta_pkg::alu_use_imm(insn);
    expected_legal  = stop >= bgn && stop <= vta_pkg::UopDepth;
    expected_empty  = stop == bgn || vta_pkg::gemm_iter_out(insn) == '0 || vta_pkg::gemm_iter_in(insn) == '0;
    expected_halves = '0;
    dst_least       = 1 << 20;
    src_least       = 1 << 20;
    dst_most        = -1;
    src_most        = -1;
    count           = (expected_legal && !expected_empty) ? stop - bgn : 1;
    left            = count;
    if (expected_legal && !expected_empty) begin
      for (int i0 = 0; i0 < int'(vta_pkg::gemm_iter_out(insn)); i0++) begin
        for (int i1 = 0; i1 < int'(vta_pkg::gemm_iter_in(insn)); i1++) begin
          for (int u = bgn; u < stop; u++) begin
            dst = int'(vta_pkg::uop_dst_idx(uops[u])) + i0 * int'(vta_pkg::gemm_dst_factor_out(insn)) +
                  i1 * int'(vta_pkg::gemm_dst_factor_in(insn));
            src = int'(vta_pkg::uop_src_idx(uops[u]));
            if (is_gemm) begin
              src = src + i0 * int'(vta_pkg::gemm_src_factor_out(insn)) + i1 * int'(vta_pkg::gemm_src_factor_in(insn));
            end else begin
              src = src + i0 * int'(vta_pkg::alu_src_factor_out(insn)) + i1 * int'(vta_pkg::alu_src_factor_in(insn));
            end
            wgt = int'(vta_pkg::uop_wgt_idx(uops[u])) + i0 * int'(vta_pkg::gemm_wgt_factor_out(insn)) +
                  i1 * int'(vta_pkg::gemm_wgt_factor_in(insn));
            if (dst >= vta_pkg::AccDepth) expected_legal = 1'b0;
            if (reads_acc && src >= vta_pkg::AccDepth) expected_legal = 1'b0;
            if (reads_inp && (src >= vta_pkg::InpDepth || wgt >= vta_pkg::WgtDepth)) expected_legal = 1'b0;
            if (dst < dst_least) dst_least = dst;
            if (dst > dst_most)  dst_most  = dst;
            if (src < src_least) src_least = src;
            if (src > src_most)  src_most  = src;
          end
        end
      end
      expected_halves = touched(dst_least, dst_most) | (reads_acc ? touched(src_least, src_most) : 2'b00);
    end
    expected_hold = dst_most < src_least || src_most < dst_least;
  endtask

  // By the top bit of the index: a range touches a half even when none of its steps does
  function automatic logic [1:0] touched(input int least, input int most);
    localparam int Half = 1 << (vta_pkg::AccIndexW - 1);
    touched = {most >= Half, least < Half};
  endfunction

  int checked = 0, held = 0, refused = 0;

  always @(negedge clk) begin
    flush = rst_n && below(200) == 0;
    start = rst_n && !flush && left <= 0 && chance(50);
    if (start) choose();
  end

  always @(posedge clk) if (rst_n) begin
    // Not a cycle too soon or too late, and until the next start
    `CHECK(done == (left == 0))
    if (left == 0 && !start) begin
      `CHECK(legal == expected_legal)
      `CHECK(empty == expected_empty)
      if (legal && !empty) begin
        `CHECK(halves == expected_halves)
        if (reads_acc) `CHECK(may_hold == expected_hold)
      end
    end
    if (left > 0) begin
      left = left - 1;
      if (left == 0) begin
        checked = checked + 1;
        if (expected_legal && !expected_empty && reads_acc && expected_hold) held = held + 1;
        if (!expected_legal) refused = refused + 1;
      end
    end
    if (start) note();
    if (flush) left = -1;
    if (checked == Insns) begin
      // Every verdict was given, where there are accumulators enough
      `CHECK(refused > 0 && (held > 0 || vta_pkg::AccDepth < 4))
      pass();
    end
    `CHECK(cycle < 100000)
  end
endmodule
