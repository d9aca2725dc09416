// SPDX-License-Identifier: Apache-2.0
// Generated from a configuration; do not edit. Parameters of the VTA core.
/* verilator lint_off UNUSEDSIGNAL */  // a function that extracts one field reads no other bit
/* verilator lint_off UNUSEDPARAM */   // not every module uses every parameter
package vta_pkg;

  // Tile and lanes
  localparam int Batch = 1;
  localparam int BlockIn = 16;
  localparam int BlockOut = 16;
  localparam int InpW = 8;
  localparam int WgtW = 8;
  localparam int AccW = 32;
  localparam int OutW = 8;

  // Bits of a beat, and log2 of its bytes
  localparam int BusW = 64;
  localparam int BusLog = 3;

  // Per memory: log2 of an element's bytes in DRAM, whole elements in a beat (at least 1)
  localparam int UopElemLog = 2;
  localparam int UopLanes = 2;
  localparam int WgtElemLog = 8;
  localparam int WgtLanes = 1;
  localparam int InpElemLog = 4;
  localparam int InpLanes = 1;
  localparam int AccElemLog = 6;
  localparam int AccLanes = 1;
  localparam int OutElemLog = 4;
  localparam int OutLanes = 1;
  localparam int Acc8ElemLog = 4;
  localparam int Acc8Lanes = 1;

  // Per scratchpad: elements that a load may write at once, depth, bits of an index
  localparam int UopLoadLanes = 2;
  localparam int UopDepth = 8192;
  localparam int UopIndexW = 13;
  localparam int InpLoadLanes = 1;
  localparam int InpDepth = 2048;
  localparam int InpIndexW = 11;
  localparam int WgtLoadLanes = 1;
  localparam int WgtDepth = 1024;
  localparam int WgtIndexW = 10;
  localparam int AccLoadLanes = 1;
  localparam int AccDepth = 2048;
  localparam int AccIndexW = 11;

  // Instruction encoding
  localparam int InsnW = 128;
  localparam int UopW = 32;
  localparam int MaxInsns = 4194304;
  localparam int InsnCountW = 23;
  localparam logic [2:0] OpLoad = 3'd0;
  localparam logic [2:0] OpStore = 3'd1;
  localparam logic [2:0] OpGemm = 3'd2;
  localparam logic [2:0] OpFinish = 3'd3;
  localparam logic [2:0] OpAlu = 3'd4;
  localparam logic [2:0] MemUop = 3'd0;
  localparam logic [2:0] MemWgt = 3'd1;
  localparam logic [2:0] MemInp = 3'd2;
  localparam logic [2:0] MemAcc = 3'd3;
  localparam logic [2:0] MemOut = 3'd4;
  localparam logic [2:0] MemAcc8 = 3'd5;
  localparam logic [2:0] MemLast = 3'd5;
  localparam logic [2:0] AluMin = 3'd0;
  localparam logic [2:0] AluMax = 3'd1;
  localparam logic [2:0] AluAdd = 3'd2;
  localparam logic [2:0] AluShr = 3'd3;
  localparam logic [2:0] AluMul = 3'd4;
  localparam logic [2:0] AluLast = 3'd4;
  localparam int TransferOpcodeW = 3;
  function automatic logic [2:0] transfer_opcode(input logic [127:0] word);
    transfer_opcode = word[0 +: 3];
  endfunction
  localparam int TransferPopPrevW = 1;
  function automatic logic [0:0] transfer_pop_prev(input logic [127:0] word);
    transfer_pop_prev = word[3 +: 1];
  endfunction
  localparam int TransferPopNextW = 1;
  function automatic logic [0:0] transfer_pop_next(input logic [127:0] word);
    transfer_pop_next = word[4 +: 1];
  endfunction
  localparam int TransferPushPrevW = 1;
  function automatic logic [0:0] transfer_push_prev(input logic [127:0] word);
    transfer_push_prev = word[5 +: 1];
  endfunction
  localparam int TransferPushNextW = 1;
  function automatic logic [0:0] transfer_push_next(input logic [127:0] word);
    transfer_push_next = word[6 +: 1];
  endfunction
  localparam int TransferMemoryTypeW = 3;
  function automatic logic [2:0] transfer_memory_type(input logic [127:0] word);
    transfer_memory_type = word[7 +: 3];
  endfunction
  localparam int TransferSramBaseW = 16;
  function automatic logic [15:0] transfer_sram_base(input logic [127:0] word);
    transfer_sram_base = word[10 +: 16];
  endfunction
  localparam int TransferDramBaseW = 32;
  function automatic logic [31:0] transfer_dram_base(input logic [127:0] word);
    transfer_dram_base = word[26 +: 32];
  endfunction
  localparam int TransferYSizeW = 16;
  function automatic logic [15:0] transfer_y_size(input logic [127:0] word);
    transfer_y_size = word[64 +: 16];
  endfunction
  localparam int TransferXSizeW = 16;
  function automatic logic [15:0] transfer_x_size(input logic [127:0] word);
    transfer_x_size = word[80 +: 16];
  endfunction
  localparam int TransferXStrideW = 16;
  function automatic logic [15:0] transfer_x_stride(input logic [127:0] word);
    transfer_x_stride = word[96 +: 16];
  endfunction
  localparam int TransferYPad0W = 4;
  function automatic logic [3:0] transfer_y_pad_0(input logic [127:0] word);
    transfer_y_pad_0 = word[112 +: 4];
  endfunction
  localparam int TransferYPad1W = 4;
  function automatic logic [3:0] transfer_y_pad_1(input logic [127:0] word);
    transfer_y_pad_1 = word[116 +: 4];
  endfunction
  localparam int TransferXPad0W = 4;
  function automatic logic [3:0] transfer_x_pad_0(input logic [127:0] word);
    transfer_x_pad_0 = word[120 +: 4];
  endfunction
  localparam int TransferXPad1W = 4;
  function automatic logic [3:0] transfer_x_pad_1(input logic [127:0] word);
    transfer_x_pad_1 = word[124 +: 4];
  endfunction
  localparam int GemmOpcodeW = 3;
  function automatic logic [2:0] gemm_opcode(input logic [127:0] word);
    gemm_opcode = word[0 +: 3];
  endfunction
  localparam int GemmPopPrevW = 1;
  function automatic logic [0:0] gemm_pop_prev(input logic [127:0] word);
    gemm_pop_prev = word[3 +: 1];
  endfunction
  localparam int GemmPopNextW = 1;
  function automatic logic [0:0] gemm_pop_next(input logic [127:0] word);
    gemm_pop_next = word[4 +: 1];
  endfunction
  localparam int GemmPushPrevW = 1;
  function automatic logic [0:0] gemm_push_prev(input logic [127:0] word);
    gemm_push_prev = word[5 +: 1];
  endfunction
  localparam int GemmPushNextW = 1;
  function automatic logic [0:0] gemm_push_next(input logic [127:0] word);
    gemm_push_next = word[6 +: 1];
  endfunction
  localparam int GemmResetW = 1;
  function automatic logic [0:0] gemm_reset(input logic [127:0] word);
    gemm_reset = word[7 +: 1];
  endfunction
  localparam int GemmUopBgnW = 13;
  function automatic logic [12:0] gemm_uop_bgn(input logic [127:0] word);
    gemm_uop_bgn = word[8 +: 13];
  endfunction
  localparam int GemmUopEndW = 14;
  function automatic logic [13:0] gemm_uop_end(input logic [127:0] word);
    gemm_uop_end = word[21 +: 14];
  endfunction
  localparam int GemmIterOutW = 14;
  function automatic logic [13:0] gemm_iter_out(input logic [127:0] word);
    gemm_iter_out = word[35 +: 14];
  endfunction
  localparam int GemmIterInW = 14;
  function automatic logic [13:0] gemm_iter_in(input logic [127:0] word);
    gemm_iter_in = word[49 +: 14];
  endfunction
  localparam int GemmDstFactorOutW = 11;
  function automatic logic [10:0] gemm_dst_factor_out(input logic [127:0] word);
    gemm_dst_factor_out = word[64 +: 11];
  endfunction
  localparam int GemmDstFactorInW = 11;
  function automatic logic [10:0] gemm_dst_factor_in(input logic [127:0] word);
    gemm_dst_factor_in = word[75 +: 11];
  endfunction
  localparam int GemmSrcFactorOutW = 11;
  function automatic logic [10:0] gemm_src_factor_out(input logic [127:0] word);
    gemm_src_factor_out = word[86 +: 11];
  endfunction
  localparam int GemmSrcFactorInW = 11;
  function automatic logic [10:0] gemm_src_factor_in(input logic [127:0] word);
    gemm_src_factor_in = word[97 +: 11];
  endfunction
  localparam int GemmWgtFactorOutW = 10;
  function automatic logic [9:0] gemm_wgt_factor_out(input logic [127:0] word);
    gemm_wgt_factor_out = word[108 +: 10];
  endfunction
  localparam int GemmWgtFactorInW = 10;
  function automatic logic [9:0] gemm_wgt_factor_in(input logic [127:0] word);
    gemm_wgt_factor_in = word[118 +: 10];
  endfunction
  localparam int AluOpcodeW = 3;
  function automatic logic [2:0] alu_opcode(input logic [127:0] word);
    alu_opcode = word[0 +: 3];
  endfunction
  localparam int AluPopPrevW = 1;
  function automatic logic [0:0] alu_pop_prev(input logic [127:0] word);
    alu_pop_prev = word[3 +: 1];
  endfunction
  localparam int AluPopNextW = 1;
  function automatic logic [0:0] alu_pop_next(input logic [127:0] word);
    alu_pop_next = word[4 +: 1];
  endfunction
  localparam int AluPushPrevW = 1;
  function automatic logic [0:0] alu_push_prev(input logic [127:0] word);
    alu_push_prev = word[5 +: 1];
  endfunction
  localparam int AluPushNextW = 1;
  function automatic logic [0:0] alu_push_next(input logic [127:0] word);
    alu_push_next = word[6 +: 1];
  endfunction
  localparam int AluResetW = 1;
  function automatic logic [0:0] alu_reset(input logic [127:0] word);
    alu_reset = word[7 +: 1];
  endfunction
  localparam int AluUopBgnW = 13;
  function automatic logic [12:0] alu_uop_bgn(input logic [127:0] word);
    alu_uop_bgn = word[8 +: 13];
  endfunction
  localparam int AluUopEndW = 14;
  function automatic logic [13:0] alu_uop_end(input logic [127:0] word);
    alu_uop_end = word[21 +: 14];
  endfunction
  localparam int AluIterOutW = 14;
  function automatic logic [13:0] alu_iter_out(input logic [127:0] word);
    alu_iter_out = word[35 +: 14];
  endfunction
  localparam int AluIterInW = 14;
  function automatic logic [13:0] alu_iter_in(input logic [127:0] word);
    alu_iter_in = word[49 +: 14];
  endfunction
  localparam int AluDstFactorOutW = 11;
  function automatic logic [10:0] alu_dst_factor_out(input logic [127:0] word);
    alu_dst_factor_out = word[64 +: 11];
  endfunction
  localparam int AluDstFactorInW = 11;
  function automatic logic [10:0] alu_dst_factor_in(input logic [127:0] word);
    alu_dst_factor_in = word[75 +: 11];
  endfunction
  localparam int AluSrcFactorOutW = 11;
  function automatic logic [10:0] alu_src_factor_out(input logic [127:0] word);
    alu_src_factor_out = word[86 +: 11];
  endfunction
  localparam int AluSrcFactorInW = 11;
  function automatic logic [10:0] alu_src_factor_in(input logic [127:0] word);
    alu_src_factor_in = word[97 +: 11];
  endfunction
  localparam int AluAluOpcodeW = 3;
  function automatic logic [2:0] alu_alu_opcode(input logic [127:0] word);
    alu_alu_opcode = word[108 +: 3];
  endfunction
  localparam int AluUseImmW = 1;
  function automatic logic [0:0] alu_use_imm(input logic [127:0] word);
    alu_use_imm = word[111 +: 1];
  endfunction
  localparam int AluImmW = 16;
  function automatic logic [15:0] alu_imm(input logic [127:0] word);
    alu_imm = word[112 +: 16];
  endfunction
  localparam int UopDstIdxW = 11;
  function automatic logic [10:0] uop_dst_idx(input logic [31:0] word);
    uop_dst_idx = word[0 +: 11];
  endfunction
  localparam int UopSrcIdxW = 11;
  function automatic logic [10:0] uop_src_idx(input logic [31:0] word);
    uop_src_idx = word[11 +: 11];
  endfunction
  localparam int UopWgtIdxW = 10;
  function automatic logic [9:0] uop_wgt_idx(input logic [31:0] word);
    uop_wgt_idx = word[22 +: 10];
  endfunction

  // By memory type: log2 of an element's bytes in DRAM; elements of its scratchpad
  localparam int ElemLogW = 4;
  function automatic logic [3:0] elem_log(input logic [2:0] memory);
    case (memory)
      3'd0: elem_log = 4'd2;
      3'd1: elem_log = 4'd8;
      3'd2: elem_log = 4'd4;
      3'd3: elem_log = 4'd6;
      3'd4: elem_log = 4'd4;
      default: elem_log = 4'd4;
    endcase
  endfunction
  localparam int DepthW = 17;
  function automatic logic [16:0] depth(input logic [2:0] memory);
    case (memory)
      3'd0: depth = 17'd8192;
      3'd1: depth = 17'd1024;
      3'd2: depth = 17'd2048;
      3'd3: depth = 17'd2048;
      3'd4: depth = 17'd2048;
      default: depth = 17'd2048;
    endcase
  endfunction

  // Bits of a beat's number in an element that is larger, and of the number of elements in a beat
  localparam int GranuleW = 5;
  localparam int ElementsW = 4;

  // What vta_transfer_check tells the DMAs of a transfer: a packed vector, its parts from bit 0 upward
  localparam int DmaW = 173;
  // the memory type
  localparam int DmaMemoryW = 3;
  localparam int DmaMemoryLsb = 0;
  function automatic logic [2:0] dma_memory(input logic [172:0] dma);
    dma_memory = dma[0 +: 3];
  endfunction
  // byte address of the first row
  localparam int DmaAddrW = 32;
  localparam int DmaAddrLsb = 3;
  function automatic logic [31:0] dma_addr(input logic [172:0] dma);
    dma_addr = dma[3 +: 32];
  endfunction
  // bytes from row to row
  localparam int DmaStrideW = 32;
  localparam int DmaStrideLsb = 35;
  function automatic logic [31:0] dma_stride(input logic [172:0] dma);
    dma_stride = dma[35 +: 32];
  endfunction
  // bytes of a row
  localparam int DmaRowBytesW = 19;
  localparam int DmaRowBytesLsb = 67;
  function automatic logic [18:0] dma_row_bytes(input logic [172:0] dma);
    dma_row_bytes = dma[67 +: 19];
  endfunction
  // rows; those that adjoin in memory are one
  localparam int DmaRowsW = 16;
  localparam int DmaRowsLsb = 86;
  function automatic logic [15:0] dma_rows(input logic [172:0] dma);
    dma_rows = dma[86 +: 16];
  endfunction
  // the first element of the scratchpad
  localparam int DmaIndexW = 16;
  localparam int DmaIndexLsb = 102;
  function automatic logic [15:0] dma_index(input logic [172:0] dma);
    dma_index = dma[102 +: 16];
  endfunction
  // the last one
  localparam int DmaLastIndexW = 16;
  localparam int DmaLastIndexLsb = 118;
  function automatic logic [15:0] dma_last_index(input logic [172:0] dma);
    dma_last_index = dma[118 +: 16];
  endfunction
  // zero elements before the first row
  localparam int DmaZerosFirstW = 17;
  localparam int DmaZerosFirstLsb = 134;
  function automatic logic [16:0] dma_zeros_first(input logic [172:0] dma);
    dma_zeros_first = dma[134 +: 17];
  endfunction
  // ... after each row but the last
  localparam int DmaZerosBetweenW = 5;
  localparam int DmaZerosBetweenLsb = 151;
  function automatic logic [4:0] dma_zeros_between(input logic [172:0] dma);
    dma_zeros_between = dma[151 +: 5];
  endfunction
  // ... after the last
  localparam int DmaZerosLastW = 17;
  localparam int DmaZerosLastLsb = 156;
  function automatic logic [16:0] dma_zeros_last(input logic [172:0] dma);
    dma_zeros_last = dma[156 +: 17];
  endfunction

  // Timing: how many may be under way, and the cycles from one event to the next (docs/hardware.md)
  localparam int BurstBeats = 16;
  localparam int ReadBursts = 16;
  localparam int WriteBursts = 16;
  localparam int FetchBeats = 64;
  localparam int DmaBeats = 128;
  localparam int StoreBeats = 8;
  localparam int WaitingLoads = 4;
  localparam int Stores = 4;
  localparam int ComputeInsns = 16;
  localparam int QueueDepth = 512;
  localparam int AddressShown = 1;
  localparam int BeatToBuffer = 2;
  localparam int QueueLatency = 1;
  localparam int TokenLatency = 1;
  localparam int TransferSlot = 3;
  localparam int CheckBegins = 1;
  localparam int FinishCheck = 1;
  localparam int TransferCheck = 2;
  localparam int LoopCheck = 1;
  localparam int CheckToIssue = 1;
  localparam int GemmFirstStep = 1;
  localparam int VectorFirstStep = 3;
  localparam int SourceRead = 1;
  localparam int MulWait = 1;
  localparam int GemmHalvesFree = 4;
  localparam int GemmEnd = 6;
  localparam int VectorHalvesFree = 3;
  localparam int VectorEnd = 5;
  localparam int EmptyEnd = 1;
  localparam int LoadRelease = 1;
  localparam int FirstBurst = 1;
  localparam int Turn = 1;
  localparam int FirstWalk = 1;
  localparam int WalkToWrite = 1;
  localparam int FirstRead = 1;
  localparam int StorePack = 2;
  localparam int AddressToData = 1;
  localparam int DataShown = 1;
  localparam int ResponseToEnd = 1;
  localparam int Stop = 1;

  // Bits of a burst's beats less one
  localparam int BurstLenW = 4;

  // Registers
  localparam logic [63:0] ConfigHash = 64'h187902c928e6ada0;
  localparam logic [31:0] Version = 32'h56540002;
  localparam int AddressW = 32;
  localparam int RegAddressW = 12;
  localparam logic [11:0] RegControl = 12'd0;
  localparam logic [11:0] RegStatus = 12'd4;
  localparam logic [11:0] RegVersion = 12'd8;
  localparam logic [11:0] RegIrqEnable = 12'd12;
  localparam logic [11:0] RegConfigHash = 12'd16;
  localparam logic [11:0] RegInsnCount = 12'd24;
  localparam logic [11:0] RegInsnAddress = 12'd28;
  localparam logic [11:0] RegMemoryLast = 12'd48;
  localparam logic [11:0] RegWatchdog = 12'd52;
  localparam logic [11:0] RegErrorCause = 12'd32;
  localparam logic [11:0] RegErrorInsn = 12'd36;
  localparam logic [11:0] RegFreeCycles = 12'd40;
  localparam logic [11:0] RegCounters = 12'd128;
  localparam int ControlStart = 0;
  localparam int ControlAbort = 1;
  localparam int StatusIdle = 0;
  localparam int StatusRunning = 1;
  localparam int StatusDone = 2;
  localparam int StatusError = 3;
  localparam int IrqEnableEnd = 0;
  localparam int NumCounters = 18;
  localparam int CounterW = 48;
  localparam int CntCycles = 0;
  localparam int CntLoadBusy = 1;
  localparam int CntLoadTokenWait = 2;
  localparam int CntLoadMemoryWait = 3;
  localparam int CntComputeBusy = 4;
  localparam int CntComputeTokenWait = 5;
  localparam int CntComputeMemoryWait = 6;
  localparam int CntStoreBusy = 7;
  localparam int CntStoreTokenWait = 8;
  localparam int CntStoreMemoryWait = 9;
  localparam int CntInpLoadNbytes = 10;
  localparam int CntWgtLoadNbytes = 11;
  localparam int CntAccLoadNbytes = 12;
  localparam int CntUopLoadNbytes = 13;
  localparam int CntOutStoreNbytes = 14;
  localparam int CntGemmCounter = 15;
  localparam int CntAluCounter = 16;
  localparam int CntInsnLoadNbytes = 17;
  localparam int ErrorCauseW = 4;
  localparam logic [3:0] ErrNone = 4'd0;
  localparam logic [3:0] ErrDecode = 4'd1;
  localparam logic [3:0] ErrNoFinish = 4'd2;
  localparam logic [3:0] ErrIllegal = 4'd3;
  localparam logic [3:0] ErrDeadlock = 4'd4;
  localparam logic [3:0] ErrReadError = 4'd5;
  localparam logic [3:0] ErrWriteError = 4'd6;
  localparam logic [3:0] ErrAborted = 4'd7;
  localparam logic [3:0] ErrTimedOut = 4'd8;

endpackage
/* verilator lint_on UNUSEDPARAM */
/* verilator lint_on UNUSEDSIGNAL */
