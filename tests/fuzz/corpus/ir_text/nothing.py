@T.prim_func
def f():
    pass
