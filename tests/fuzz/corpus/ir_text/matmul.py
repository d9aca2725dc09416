@T.prim_func
def matmul(A: T.Buffer((n, 16), "float32"), B: T.Buffer((16, m), "float32"), C: T.Buffer((n, m), "float32", align=16), n: T.int32, m: T.int32):
    T.func_attr({"user.note": "two\nlines", "user.size": 3})
    S = T.alloc_buffer((4,), "float16", scope="local", strides=(2,))
    for i in T.parallel(n):
        for j, k in T.grid(m, 16):
            with T.block("C"):
                vi = T.axis.spatial(n, i)
                vj = T.axis.spatial(m, j)
                vk = T.axis.reduce(16, k)
                T.where(i + j < 100 and not k == 3)
                T.reads(A[vi, vk], B[vk, vj])
                T.writes(C[vi, vj])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
    for l in T.serial(2, 6, annotations={"pragma_dma_copy": 1}):
        if l % 2 == 0 or m > -3:
            t: T.float32 = T.exp(A[0, l]) * T.float32("-inf")
            A[0, l] = T.if_then_else(T.isnan(t), T.Cast("float32", l // (2 - l)), T.min(t, T.float32(2.5)))
        else:
            with T.allocate((2,), "int64", scope="shared") as D:
                D[0] = T.int64(-5) << T.int64(3)
            T.storage_sync("shared")
