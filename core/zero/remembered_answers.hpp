// The network's answers to the positions of a search and of the one before it, so that it is asked once.
//
// Two decisions of a match have much of their trees in common, and an order of actions often leads where another did.
// What a search did not use is forgotten at the next one. With the same network the play is the same as without this;
// after a change of its weights a few answers are still the former ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ludoteca {

class RememberedAnswers {
 public:
  explicit RememberedAnswers(std::size_t cells) : cells_(cells) {}

  // A digest of a network's input. We take positions with the same digest, of 64 bits, for the same.
  static std::uint64_t digest(const std::vector<std::int8_t>& input) {
    std::uint64_t out = 0x9e3779b97f4a7c15ull;
    for (std::size_t i = 0; i < input.size(); i += sizeof out) {
      std::uint64_t word = 0;
      std::memcpy(&word, &input[i], std::min(sizeof word, input.size() - i));
      out = (out ^ word) * 0xff51afd7ed558ccdull;
      out ^= out >> 32;
    }
    return out;
  }

  // logits: one for each cell.
  void add(std::uint64_t key, const float* logits, float value) {
    now_.keys.push_back(key);
    now_.rows.insert(now_.rows.end(), logits, logits + cells_);
    now_.rows.push_back(value);
  }

  // The logits and then the value, until the next call of another method; null if there is no answer.
  const float* find(std::uint64_t key) {
    if (const float* known = find_in(now_, key)) return known;
    const float* known = find_in(before_, key);
    if (known) add(key, known, known[cells_]);
    return known;
  }

  // Begins the next search: what the last one did not use is forgotten.
  void next_search() {
    std::swap(now_, before_);
    now_.clear();
  }

  void clear() {
    now_.clear();
    before_.clear();
  }

  template <class Archive>
  void serialise(Archive& archive) {
    for (Answers* each : {&now_, &before_}) {
      archive(each->keys);
      archive(each->rows);
      if (each->rows.size() != each->keys.size() * (cells_ + 1)) throw std::invalid_argument("answers for another board");
    }
  }

 private:
  struct Answers {
    std::vector<std::uint64_t> keys;
    std::vector<float> rows;  // of each key: the logits and the value

    void clear() {
      keys.clear();
      rows.clear();
    }
  };
  std::size_t cells_;
  Answers now_, before_;

  const float* find_in(const Answers& answers, std::uint64_t key) const {
    const auto at = std::find(answers.keys.begin(), answers.keys.end(), key);
    if (at == answers.keys.end()) return nullptr;
    return &answers.rows[static_cast<std::size_t>(at - answers.keys.begin()) * (cells_ + 1)];
  }
};

}  // namespace ludoteca
