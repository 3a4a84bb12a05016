// The Python module of the core. What it holds is in bind.hpp, search.cpp and, game by game, in the other files here.
#include <nanobind/nanobind.h>

namespace ludoteca {

void bind_dominoes(nanobind::module_& m);
void bind_dominoes_engine(nanobind::module_& m);
void bind_dominoes_minimax(nanobind::module_& m);
void bind_hex(nanobind::module_& m);
void bind_hex_engine(nanobind::module_& m);
void bind_hex_proof(nanobind::module_& m);
void bind_hex_searches(nanobind::module_& m);
void bind_horses(nanobind::module_& m);
void bind_horses_engine(nanobind::module_& m);
void bind_horses_minimax(nanobind::module_& m);
void bind_kittens(nanobind::module_& m);
void bind_kittens_engine(nanobind::module_& m);
void bind_search(nanobind::module_& m);
void bind_trees(nanobind::module_& m);
void bind_zero(nanobind::module_& m);

}  // namespace ludoteca

NB_MODULE(_core, m) {
  m.attr("DIGEST") = LUDOTECA_DIGEST;
  ludoteca::bind_search(m);
  ludoteca::bind_dominoes(m);
  ludoteca::bind_dominoes_minimax(m);
  ludoteca::bind_dominoes_engine(m);
  ludoteca::bind_hex(m);
  ludoteca::bind_hex_searches(m);
  ludoteca::bind_hex_engine(m);
  ludoteca::bind_hex_proof(m);
  ludoteca::bind_horses(m);
  ludoteca::bind_horses_engine(m);
  ludoteca::bind_horses_minimax(m);
  ludoteca::bind_kittens(m);
  ludoteca::bind_trees(m);
  ludoteca::bind_kittens_engine(m);
  ludoteca::bind_zero(m);
}
