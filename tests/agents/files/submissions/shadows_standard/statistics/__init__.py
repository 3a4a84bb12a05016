def middle_of(cells):
    return cells[len(cells) // 2]
