shown = True
