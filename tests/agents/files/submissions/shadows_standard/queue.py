class Cells(list):
    pass
