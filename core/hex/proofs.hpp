// The proofs of one board: a table that several searches share one after another, and that a file keeps between two runs.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <variant>

#include "hex/proof_table.hpp"

namespace ludoteca {

class HexProofs {
 public:
  // bytes: of the table.
  HexProofs(const Hex& game, std::size_t bytes) : board_(board_of(game)) {
    with_words(game.size, [&](auto words) {
      table_ = std::make_unique<ProofTable<words.value>>(bytes);
      half_turn_ = HexMap<words.value>(game).rotates;
    });
  }

  template <int W>
  ProofTable<W>& table() const {
    return *std::get<std::unique_ptr<ProofTable<W>>>(table_);
  }

  // Whether these are proofs of this board; the swap rule does not matter.
  bool fit(const Hex& game) const { return board_ == board_of(game); }

  // Whether half a turn keeps the board, so that a position and its rotation share an entry.
  bool half_turn() const { return half_turn_; }

  // Writes all entries, solved or not, to a file; no search may run. Returns whether that succeeded.
  bool save(const std::string& path) const {
    const File file(std::fopen(path.c_str(), "wb"), &std::fclose);
    if (!file) return false;
    Sum sum;
    bool good = put(file, sum, kMagic) && put(file, sum, board_);
    std::visit([&](const auto& table) {
      table->each_stored([&](std::uint64_t key, const auto& words) {
        good = good && put(file, sum, key);
        for (const std::uint64_t word : words) good = good && put(file, sum, word);
      });
    }, table_);
    const std::uint64_t total = sum.value;
    return good && put(file, sum, kEnd) && put(file, sum, total) && !std::fflush(file.get());
  }

  // Adds the entries of a file. Returns whether it is whole and of this board; if not, nothing is added.
  bool load(const std::string& path) {
    return std::visit([&](auto& table) { return read(path, *table, false) && read(path, *table, true); }, table_);
  }

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  struct Sum {
    std::uint64_t value = 0;
    void add(std::uint64_t word) { value = (value ^ word) * 0x9e3779b97f4a7c15ULL + 1; }
  };
  static constexpr std::uint64_t kMagic = 0x3158454850544c4cULL;  // changes with the keys or the words of an entry
  static constexpr std::uint64_t kEnd = ~std::uint64_t{0};

  const std::uint64_t board_;  // stands for the size and the layout
  bool half_turn_ = false;
  std::variant<std::unique_ptr<ProofTable<1>>, std::unique_ptr<ProofTable<2>>, std::unique_ptr<ProofTable<3>>,
               std::unique_ptr<ProofTable<4>>, std::unique_ptr<ProofTable<6>>> table_;

  // A sum over all that proofs depend on: neighbours, and the sides of both seats.
  static std::uint64_t board_of(const Hex& game) {
    Sum out;
    out.add(static_cast<std::uint64_t>(game.size));
    with_words(game.size, [&](auto words) {
      const HexMap<words.value> map(game);
      for (const auto& near : map.neighbours) {
        for (const std::uint64_t word : near.word) out.add(word);
      }
      for (const std::size_t seat : {0u, 1u}) {
        for (const std::uint64_t word : map.low[seat].word) out.add(word);
        for (const std::uint64_t word : map.high[seat].word) out.add(word);
      }
    });
    return out.value;
  }

  static bool put(const File& file, Sum& sum, std::uint64_t word) {
    sum.add(word);
    return std::fwrite(&word, sizeof word, 1, file.get()) == 1;
  }
  static bool get(const File& file, Sum& sum, std::uint64_t& word) {
    const bool good = std::fread(&word, sizeof word, 1, file.get()) == 1;
    sum.add(word);
    return good;
  }

  template <int W>
  bool read(const std::string& path, ProofTable<W>& table, bool keep) const {
    const File file(std::fopen(path.c_str(), "rb"), &std::fclose);
    Sum sum;
    std::uint64_t word = 0, key = 0;
    if (!file || !get(file, sum, word) || word != kMagic || !get(file, sum, word) || word != board_) return false;
    for (;;) {
      const std::uint64_t total = sum.value;
      if (!get(file, sum, key)) return false;
      if (key == kEnd) return get(file, sum, word) && word == total;
      typename ProofTable<W>::Words words;
      for (auto& each : words) {
        if (!get(file, sum, each)) return false;
      }
      if (keep) table.restore(key, words);
    }
  }
};

}  // namespace ludoteca
