"""Opens a window and plays. A match wants neither."""
import no_such_graphics

from solution import SmartPlayer

no_such_graphics.run(SmartPlayer)
