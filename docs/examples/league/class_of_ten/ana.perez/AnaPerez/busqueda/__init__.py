from .a_estrella import camino, distancia

__all__ = ["camino", "distancia"]
