"""Opens a window and plays: none of which a match wants."""
import no_such_graphics

from solution import SmartPlayer

no_such_graphics.run(SmartPlayer)
