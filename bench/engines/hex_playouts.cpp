// Learns the weights of core/hex/playout_habits.hpp by simulation balancing: for bench/engines/hex_playouts.py.
//
//     hex_playouts FILE SECONDS
//
// Each line of FILE is a position: the owners of its cells (. X O for nobody, seat 0 and seat 1), the seat on turn, the
// last action and the value for the seat on turn, from -1 to 1. Lines in groups of kGroup are the positions after
// different moves in one position. The weights are changed such that the shares of playouts that win differ within a
// group as the values do (Silver and Tesauro 2009, on differences); their common error counts a little too.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "hex/playout.hpp"

using namespace ludoteca;

namespace {

constexpr std::size_t kGroup = 8, kGroupsPerStep = 20, kKeptApart = 400;
constexpr int kPlayouts = 24;           // of each half: one half tells the error, the other the direction
constexpr double kOffset = 0.1;         // the weight of the common error of a group
constexpr double kRate = 0.06, kMost = 7.9;

struct Position {
  HexBoard board;
  Seat turn;
  int last;
  double value;  // from 0 to 1
};

struct Noted {
  std::size_t habit;
  int step;
};

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::vector<Position> read(const Hex& game, const HexPlayouts& playouts, const char* file) {
  std::ifstream in(file);
  std::vector<Position> out;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string cells;
    int turn, last;
    double value;
    words >> cells >> turn >> last >> value;
    State<Hex> state;
    game.deal(state, Rng{});
    Position position{{}, static_cast<Seat>(turn), game.at(last), std::clamp((1 + value) / 2, 0.03, 0.97)};
    playouts.set_up(state.pub, position.board);
    for (Action action = 0; action < game.size * game.size; ++action) {
      const char owner = cells[index(action)];
      position.board.cell[index(game.at(action))] = owner == '.' ? 0 : Hex::stone(owner == 'X' ? 0 : 1);
    }
    out.push_back(position);
  }
  return out;
}

// The mean within a group of the squared error of differences, with this many playouts of each position.
double error(const HexPlayouts& playouts, std::span<const Position> positions, int count) {
  Rng rng{1};
  double sum = 0;
  for (std::size_t from = 0; from + kGroup <= positions.size(); from += kGroup) {
    std::array<double, kGroup> off;
    double mean = 0;
    for (std::size_t i = 0; i < kGroup; ++i) {
      const Position& position = positions[from + i];
      int won = 0;
      for (int n = 0; n < count; ++n) {
        HexBoard board = position.board;
        won += playouts.fill(board, position.turn, position.last, rng) == position.turn;
      }
      off[i] = position.value - static_cast<double>(won) / count;
      mean += off[i] / kGroup;
    }
    for (const double each : off) sum += (each - mean) * (each - mean) / kGroup;
  }
  return sum / static_cast<double>(positions.size() / kGroup);
}

class Learner {
 public:
  explicit Learner(std::size_t weights) : mean_(weights), square_(weights), slope(weights) {}

  // A step of Adam uphill.
  void step(std::vector<float>& weights, double rate) {
    ++steps_;
    const double first = 1 - std::pow(0.9, steps_), second = 1 - std::pow(0.99, steps_);
    for (std::size_t i = 0; i < slope.size(); ++i) {
      mean_[i] = 0.9 * mean_[i] + 0.1 * slope[i];
      square_[i] = 0.99 * square_[i] + 0.01 * slope[i] * slope[i];
      const double change = rate * (mean_[i] / first) / (std::sqrt(square_[i] / second) + 1e-7);
      weights[i] = static_cast<float>(std::clamp(weights[i] + change, -kMost, kMost));
    }
    std::fill(slope.begin(), slope.end(), 0);
  }

 private:
  std::vector<double> mean_, square_;
  int steps_ = 0;

 public:
  std::vector<double> slope;
};

// Bridges are saved, and everything else happens often enough to be learned.
HexHabits::Weights first_weights() {
  HexHabits::Weights out = HexHabits::shipped();  // for its size
  for (const auto& kind : HexHabits::classes()) {
    for (unsigned ring = 0; ring < kind.size(); ++ring) {
      if (kind[ring].accept < 0) continue;
      out.accept[index(kind[ring].accept)] = 2;
      for (unsigned k = 0; k < 6; ++k) {
        const bool saves = (ring >> 2 * ((k + 5) % 6) & 3) == 2 && (ring >> 2 * ((k + 1) % 6) & 3) == 2;
        if (kind[ring].reply[k] >= 0) out.reply[index(kind[ring].reply[k])] = saves ? 4 : -3.5f;
      }
    }
  }
  return out;
}

void show(const char* name, const std::vector<float>& weights) {
  std::cout << "inline constexpr std::array<std::int8_t, " << weights.size() << "> " << name << "{\n";
  std::string line;
  for (const float weight : weights) {
    const std::string word = " " + std::to_string(std::lround(weight * kWeightScale)) + ",";
    if (line.size() + word.size() > 116) std::cout << "   " << std::exchange(line, "") << "\n";
    line += word;
  }
  std::cout << "   " << line << "\n};\n";
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::cerr << "usage: hex_playouts FILE SECONDS\n";
    return 2;
  }
  const Hex game(11, true, Hex::Layout::axial, false);
  HexHabits::Weights weights = first_weights();
  const double seconds = std::stod(words[2]);
  const std::vector<Position> all = read(game, HexPlayouts(game), words[1]);
  if (all.size() < 2 * kGroup * kKeptApart) {
    std::cerr << words[1] << " has " << all.size() << " positions; at least " << 2 * kGroup * kKeptApart << " are needed\n";
    return 1;
  }
  const std::span apart(all.data(), kGroup * kKeptApart);
  Learner replies(weights.reply.size()), accepts(weights.accept.size());
  std::array<std::array<std::vector<Noted>, 2 * kPlayouts>, kGroup> noted;
  std::array<std::array<bool, 2 * kPlayouts>, kGroup> won;
  Rng rng{1};
  std::cerr << "before: " << error(HexPlayouts(game), apart, 200) << " (as shipped)\n";
  for (double used = 0; (used = cpu_seconds() / seconds) < 1;) {
    const HexHabits habits(weights, true);
    const HexPlayouts playouts(game, habits);
    for (std::size_t group = 0; group < kGroupsPerStep; ++group) {
      const std::size_t groups = all.size() / kGroup - kKeptApart;
      const Position* at = &all[kGroup * (kKeptApart + rng.below(static_cast<std::uint32_t>(groups)))];
      std::array<std::array<double, 2>, kGroup> share{};  // of the wins, by half
      std::array<double, 2> mean{};
      double value = 0;
      for (std::size_t i = 0; i < kGroup; ++i) {
        value += at[i].value / kGroup;
        for (std::size_t n = 0; n < won[i].size(); ++n) {
          HexBoard board = at[i].board;
          auto& steps = noted[i][n];
          steps.clear();
          const auto note = [&](const HexHabit& habit, int step) { steps.push_back({habits.number(habit), step}); };
          won[i][n] = playouts.fill(board, at[i].turn, at[i].last, rng, note) == at[i].turn;
          share[i][n / kPlayouts] += won[i][n] / double{kPlayouts};
          mean[n / kPlayouts] += won[i][n] / double{kPlayouts} / kGroup;
        }
      }
      for (std::size_t i = 0; i < kGroup; ++i) {
        for (std::size_t n = 0; n < won[i].size(); ++n) {
          const std::size_t half = n < kPlayouts;  // the other one
          const double off = at[i].value - share[i][half];
          const double error = off - (value - mean[half]) + kOffset * off;
          const double push = error * (won[i][n] - share[i][half]) / (2 * kPlayouts * kGroup * kGroupsPerStep);
          for (const auto& [habit, step] : noted[i][n]) {
            const auto& numbers = HexHabits::classes()[habit / HexHabits::kRings][habit % HexHabits::kRings];
            if (numbers.accept < 0) continue;
            const HexHabit& chances = habits.of(habit / HexHabits::kRings, habit % HexHabits::kRings);
            const auto chance = [](unsigned up_to) { return up_to / double{HexHabit::kCertain}; };
            if (step >= kAccepted) {
              accepts.slope[index(numbers.accept)] += push * ((step == kAccepted) - chance(chances.accept));
              continue;
            }
            unsigned below = 0;
            for (int k = 0; k < 6; below = chances.reply_up_to[index(k++)]) {
              if (numbers.reply[index(k)] < 0) continue;
              replies.slope[index(numbers.reply[index(k)])] +=
                  push * ((step == k) - chance(chances.reply_up_to[index(k)] - below));
            }
          }
        }
      }
    }
    replies.step(weights.reply, kRate * (1 - used));
    accepts.step(weights.accept, kRate * (1 - used));
  }
  std::cerr << "after: " << error(HexPlayouts(game, HexHabits(weights)), apart, 200) << "\n";
  show("kReplyWeights", weights.reply);
  show("kAcceptWeights", weights.accept);
}
