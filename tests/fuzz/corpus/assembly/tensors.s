.config {"TARGET": "sim", "HW_VER": "0.0.2", "LOG_INP_WIDTH": 3, "LOG_WGT_WIDTH": 3, "LOG_ACC_WIDTH": 5, "LOG_BATCH": 0, "LOG_BLOCK": 4, "LOG_UOP_BUFF_SIZE": 15, "LOG_INP_BUFF_SIZE": 15, "LOG_WGT_BUFF_SIZE": 18, "LOG_ACC_BUFF_SIZE": 17, "LOG_BUS_WIDTH": 6, "CLOCK_MHZ": 100}
.tensor A inp 64 input
.tensor C out 64 output
.uop dst=1 src=2 wgt=3
load.uop sram=0 dram=uops+0 y=1 x=1 stride=1
load.inp sram=4 dram=A+16 y=2 x=3 stride=8 pad=1,0,2,15 push=next
gemm.reset uop=0:1 out=16 in=1 dst=1,0 src=0,0 wgt=0,0
gemm uop=0:1 out=1 in=2 dst=0,1 src=2,3 wgt=4,5 pop=prev
alu.shr uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=-8 push=next
store.out sram=0 dram=C+0 y=1 x=16 stride=16 pop=prev push=prev
finish pop=next
