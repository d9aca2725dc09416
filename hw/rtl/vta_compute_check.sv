// SPDX-License-Identifier: Apache-2.0
// Where the head of the compute stage's queue is checked: transfers as in the load stage, loops by reading their
// micro-ops, which must have been loaded by then. One instruction at a time; the one before waits to be issued or runs.

`include "vta_assert.svh"

module vta_compute_check (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           flush_i,
  input  logic [vta_pkg::AddressW-1:0]   memory_last_i,

  // Command queue
  input  logic                           queue_valid_i,
  output logic                           queue_ready_o,
  input  logic [vta_pkg::InsnCountW-1:0] queue_index_i,
  input  logic [vta_pkg::InsnW-1:0]      queue_insn_i,

  // An older load of micro-ops has not ended
  input  logic                           uops_pending_i,
  // Micro-op scratchpad
  output logic                           uop_rd_en_o,
  output logic [vta_pkg::UopIndexW-1:0]  uop_rd_index_o,
  input  logic [vta_pkg::UopW-1:0]       uop_i,

  // The instruction, checked
  output logic                           valid_o,
  input  logic                           ready_i,
  output logic                           occupied_o,
  output logic [vta_pkg::InsnCountW-1:0] insn_index_o,
  output logic [vta_pkg::InsnW-1:0]      insn_o,
  output logic                           legal_o,
  // Neither steps nor bytes: FINISH, or a loop or transfer of nothing
  output logic                           empty_o,
  output logic                           is_transfer_o,
  output logic [1:0]                     halves_o,
  // Of an ALU with a source, as vta_loop_check gives it
  output logic                           may_hold_o,

  // Of a transfer, as vta_transfer_check gives it
  output logic [vta_pkg::DmaW-1:0]       dma_o
);

  typedef enum logic [1:0] {Empty, Waiting, Checking} state_e;
  state_e state_q, state_d;

  logic [vta_pkg::TransferOpcodeW-1:0] opcode;
  logic       take, is_transfer, is_finish, is_loop, start, loop_done, transfer_done_q, checked;

  assign opcode        = vta_pkg::transfer_opcode(insn_o);
  assign is_transfer   = opcode == vta_pkg::OpLoad;
  assign is_finish     = opcode == vta_pkg::OpFinish;
  assign is_loop       = !is_transfer && !is_finish;
  assign start         = (state_q == Waiting) && !(is_loop && uops_pending_i);
  assign checked       = (state_q == Checking) && (is_finish || (is_transfer ? transfer_done_q : loop_done));
  assign valid_o       = checked;
  assign queue_ready_o = (state_q == Empty) || (checked && ready_i);
  assign take          = queue_valid_i && queue_ready_o;
  assign occupied_o    = state_q != Empty;

  always_comb begin
    state_d = state_q;
    case (state_q)
      Waiting: if (start) state_d = Checking;
      default: begin
        if (take)                    state_d = Waiting;
        else if (checked && ready_i) state_d = Empty;
      end
    endcase
    if (flush_i) state_d = Empty;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= Empty;
    else         state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      insn_o       <= queue_insn_i;
      insn_index_o <= queue_index_i;
    end
  end

  // Two cycles from the start
  always_ff @(posedge clk_i) begin
    transfer_done_q <= (state_q == Checking);
  end

  logic       transfer_legal, transfer_empty, loop_legal, loop_empty;
  logic [1:0] loop_halves, transfer_halves;

  vta_transfer_check u_transfer (
    .clk_i,
    .start_i        (start && is_transfer),
    .insn_i         (insn_o),
    .memory_last_i,
    .legal_o        (transfer_legal),
    .empty_o        (transfer_empty),
    .dma_o
  );

  vta_loop_check u_loop (
    .clk_i,
    .rst_ni,
    .flush_i,
    .start_i (start && is_loop),
    .insn_i  (insn_o),
    .done_o  (loop_done),
    .uop_rd_en_o,
    .uop_rd_index_o,
    .uop_i,
    .legal_o (loop_legal),
    .empty_o (loop_empty),
    .halves_o(loop_halves),
    .may_hold_o
  );

  localparam int BaseW = vta_pkg::DmaIndexW;
  localparam logic [BaseW-1:0] Half = BaseW'(1 << (vta_pkg::AccIndexW - 1));
  assign transfer_halves = (vta_pkg::dma_memory(dma_o) == vta_pkg::MemUop) ? 2'b00
                         : {vta_pkg::dma_last_index(dma_o) >= Half, vta_pkg::dma_index(dma_o) < Half};

  assign is_transfer_o = is_transfer;
  assign legal_o       = is_finish || (is_transfer ? transfer_legal : loop_legal);
  assign empty_o       = is_finish || (is_transfer ? transfer_empty : loop_empty);
  assign halves_o      = is_transfer ? transfer_halves : loop_halves;

  // From leaving the queue to the start, and from there to Checking, in which FINISH is checked at once
  `VTA_STATIC_ASSERT(StartsInTime, 32'(Waiting) - 32'(Empty) == vta_pkg::CheckBegins)
  `VTA_STATIC_ASSERT(FinishIsCheckedInTime, 32'(Checking) - 32'(Waiting) == vta_pkg::FinishCheck)
  // transfer_done_q is one register behind Checking
  `VTA_STATIC_ASSERT(TransfersAreCheckedInTime, 32'(Checking) - 32'(Waiting) + 1 == vta_pkg::TransferCheck)

endmodule
