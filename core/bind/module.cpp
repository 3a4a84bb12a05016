// The Python module of the core. The files named after a game bind that game, the others what games share.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <map>
#include <string>

namespace ludoteca {

void bind_dominoes(nanobind::module_& m);
void bind_dominoes_engine(nanobind::module_& m);
void bind_dominoes_searches(nanobind::module_& m);
void bind_hex(nanobind::module_& m);
void bind_hex_engine(nanobind::module_& m);
void bind_hex_proof(nanobind::module_& m);
void bind_hex_searches(nanobind::module_& m);
void bind_hex_zero(nanobind::module_& m);
void bind_horses(nanobind::module_& m);
void bind_horses_engine(nanobind::module_& m);
void bind_horses_searches(nanobind::module_& m);
void bind_kittens(nanobind::module_& m);
void bind_kittens_engine(nanobind::module_& m);
void bind_mmd(nanobind::module_& m);
void bind_search(nanobind::module_& m);
void bind_self_play_settings(nanobind::module_& m);

}  // namespace ludoteca

NB_MODULE(_core, m) {
  m.def("source_digest",
        [](const std::string& game) { return std::map<std::string, std::string>{LUDOTECA_DIGESTS}.at(game); },
        nanobind::arg("game"),
        "The digest of the sources from which the core of this game was built: its own, those of the search, and what all "
        "games share. Raises IndexError for a game that is not in the core.");
  ludoteca::bind_search(m);
  ludoteca::bind_self_play_settings(m);
  ludoteca::bind_dominoes(m);
  ludoteca::bind_dominoes_searches(m);
  ludoteca::bind_dominoes_engine(m);
  ludoteca::bind_hex(m);
  ludoteca::bind_hex_searches(m);
  ludoteca::bind_hex_engine(m);
  ludoteca::bind_hex_proof(m);
  ludoteca::bind_hex_zero(m);
  ludoteca::bind_horses(m);
  ludoteca::bind_horses_engine(m);
  ludoteca::bind_horses_searches(m);
  ludoteca::bind_kittens(m);
  ludoteca::bind_kittens_engine(m);
  ludoteca::bind_mmd(m);
}
