// Many matches of a network against itself, evaluated in one batch.
//
//     each match:  root ─► select ─► leaf ─► [network] ─► expand, backup ─► select ─► … ─► move ─► next root ─► …
//     each step:   one leaf of every match goes out as a batch, and the results come in
//
// A finished match leaves a sample for each decision that was searched with all simulations: the input, the improved
// policy, and the value target. The play depends on the seed and the network's results, not on the threads.
#pragma once

#include <atomic>
#include <memory>

#include "search/workers.hpp"
#include "zero/checkpoint.hpp"
#include "zero/gumbel_root.hpp"
#include "zero/remembered_answers.hpp"

namespace ludoteca {

// How the matches are searched and played.
struct SelfPlaySettings {
  int simulations = 32;
  Selection selection = Selection::improved_policy;  // below the root
  int candidates = 16;      // root actions that get simulations
  int early = 10;           // the first decisions of a match, with a Gumbel scale of 1
  float late_noise = 0.4f;  // Gumbel scale of the later decisions
  float resign = -0.95f;    // a seat that expects less resigns, in most matches
  float play_on = 0.25f;    // share of the matches without resignation
  float result_share = 0.3f;  // the value target is the result by this share, and TD(lambda) for the rest
  float trace = 0.97f;        // lambda
  std::array<float, 5> random_actions{1, 0, 0, 0, 0};  // weights of 0, 1, 2, 3, or more random first actions
  // Playout cap randomisation (Wu, Accelerating self-play learning in Go, 2019): only this share of the decisions is
  // searched with all simulations and leaves a sample; the others get few, so that more matches are played.
  float full_share = 1;
  float decided_share = 1;  // at most this share while a seat is so sure to lose that it would resign
  int quick_simulations = 16;
  bool remember = true;  // ask the network only once about a position of one search and the next
};

// Statistics since the start; a decision is an action chosen by search.
struct SelfPlayCounts {
  std::uint64_t matches = 0, decisions = 0, evaluations = 0, first_wins = 0, resigned = 0;
};

// Training data; arrays with one row for each decision that is learned from.
struct Samples {
  std::vector<std::int8_t> input;
  std::vector<float> policy;
  std::vector<float> value;  // for the seat on turn, in [-1, 1]

  void clear() {
    input.clear();
    policy.clear();
    value.clear();
  }
  void add(const Samples& more) {
    input.insert(input.end(), more.input.begin(), more.input.end());
    policy.insert(policy.end(), more.policy.begin(), more.policy.end());
    value.insert(value.end(), more.value.begin(), more.value.end());
  }
  template <class Archive>
  void serialise(Archive& archive) {
    archive(input);
    archive(policy);
    archive(value);
  }
};

// One of the matches. It always waits for the network's evaluation of one leaf.
template <Encodable G>
class SelfPlayMatch {
 public:
  SelfPlayMatch(const G& g, const SelfPlaySettings& settings, std::uint64_t seed)
      : g_(g), settings_(settings), tree_(settings.selection, kMaxEdges), rng_{seed}, input_(bytes_of(g)),
        answers_(cells_of(g)) {
    start();
    encode_leaf();
  }

  // Writes the position of the leaf.
  void encode(std::int8_t* out) const { std::copy(input_.begin(), input_.end(), out); }

  // Takes the evaluation of the leaf, logits by cell and the value, both for the seat on turn, and selects the next
  // leaf whose evaluation is not remembered.
  void expand(const float* logits, float value) {
    ++counts.evaluations;
    if (settings_.remember) answers_.add(key_, logits, value);
    take(logits, value);
    encode_leaf();
    if (!settings_.remember) return;
    // This ends, at the latest, with the next match: it begins without answers.
    while (const float* known = answers_.find(key_)) {
      known_.assign(known, known + cells_of(g_) + 1);  // the next search moves what it points to
      take(known_.data(), known_.back());
      encode_leaf();
    }
  }

  Samples finished;  // of the matches that ended since they were taken last
  SelfPlayCounts counts;

  template <class Archive>
  void serialise(Archive& archive) {
    archive(state_);
    archive(leaf_);
    archive(rng_);
    archive(at_root_);
    archive(resigns_);
    archive(decisions_);
    archive(path_);
    archive(tree_.nodes_);
    archive(tree_.edges_);
    archive(root_.all);
    for (int* each : {&root_.considered, &root_.rounds, &root_.left, &root_.budget, &root_.next, &root_.turns}) archive(*each);
    archive(root_.turn);
    archive(root_.network_value);
    now_.serialise(archive);
    archive(movers_);
    archive(searched_);
    archive(sampled_);
    archive(full_);
    archive(decided_);
    answers_.serialise(archive);
    finished.serialise(archive);
    archive(counts);
    encode_leaf();
  }

 private:
  using Index = typename PriorTree<G>::Index;
  static constexpr int kMaxEdges = 32;  // of a node inside the tree
  static constexpr int kMostRandom = 8;

  const G& g_;
  const SelfPlaySettings& settings_;
  PriorTree<G> tree_;
  GumbelRoot<G> root_;
  State<G> state_{}, leaf_{};
  Rng rng_;
  bool at_root_ = true, resigns_ = true;
  int decisions_ = 0;
  std::vector<Index> path_;
  Samples now_;                        // of the current match; the values come when it ends
  std::vector<Seat> movers_;           // of its decisions
  std::vector<float> searched_;        // the values that the searches of its decisions found, for the movers
  std::vector<std::uint8_t> sampled_;  // 1 for the decisions that leave a sample
  bool full_ = true;                   // whether this search gets all simulations
  bool decided_ = false;               // whether a seat would have resigned at the last decision
  std::vector<std::int8_t> input_;     // the leaf as the network sees it
  std::uint64_t key_ = 0;              // its digest
  RememberedAnswers answers_;
  std::vector<float> known_, policy_;  // scratch

  void encode_leaf() {
    Encoding<G>::encode(g_, leaf_.pub, input_.data());
    key_ = RememberedAnswers::digest(input_);
  }

  // Takes an evaluation of the leaf and selects the next one.
  void take(const float* logits, float value) {
    if (at_root_) {
      const float gumbel_scale = decisions_ < settings_.early ? 1.0f : settings_.late_noise;
      const int all = settings_.simulations, simulations = full_ ? all : std::min(all, settings_.quick_simulations);
      const int candidates = full_ ? settings_.candidates : std::min(settings_.candidates, std::max(2, simulations / 2));
      root_.begin(g_, state_, tree_, logits, value, gumbel_scale, rng_, candidates, simulations);
      at_root_ = false;
    } else {
      tree_.expand(g_, leaf_, path_.back(), logits, value, [](Action) { return true; });
      tree_.backup(path_);
      root_.next_candidate(tree_);
    }
    if (!select()) decide();
  }

  // Runs simulations until one needs the network. Returns false when they are spent.
  bool select() {
    while (!root_.done()) {
      leaf_ = state_;
      path_.clear();
      root_.select(g_, leaf_, tree_, path_);
      if (leaf_.pub.turn != kNobody) return true;
      tree_.backup(path_);
      root_.next_candidate(tree_);
    }
    return false;
  }

  void decide() {
    const auto& chosen = root_.chosen(tree_);
    const Action action = chosen.action;
    if (root_.all.size() > 1) {  // a forced action is no sample
      const std::size_t cells = cells_of(g_), bytes = bytes_of(g_), rows = now_.input.size() / bytes;
      policy_.assign(cells, 0.0f);
      searched_.push_back(root_.improved_policy(g_, state_.pub, tree_, policy_.data()));
      movers_.push_back(state_.pub.turn);
      sampled_.push_back(full_);
      if (full_) {
        now_.input.resize((rows + 1) * bytes);
        Encoding<G>::encode(g_, state_.pub, &now_.input[rows * bytes]);
        now_.policy.insert(now_.policy.end(), policy_.begin(), policy_.end());
      }
      ++counts.decisions;
      const float expected = root_.q(tree_, chosen, 0);
      if (resigns_ && expected < settings_.resign) return finish(state_.pub.turn == 0 ? -1 : 1, true);
      decided_ = std::abs(expected) > -settings_.resign;
    }
    g_.apply(state_, action);
    ++decisions_;
    if (state_.pub.turn == kNobody) return finish(g_.returns(state_.pub)[0], false);
    start_search();
  }

  void start_search() {
    tree_.clear();
    answers_.next_search();
    at_root_ = true;
    leaf_ = state_;
    const float share = decided_ ? std::min(settings_.full_share, settings_.decided_share) : settings_.full_share;
    full_ = share >= 1 || rng_.unit() < share;
  }

  // result: for seat 0. Replaces the values of the searches by the value targets.
  void finish(double result, bool resigned) {
    ++counts.matches;
    counts.first_wins += result > 0;
    counts.resigned += resigned;
    auto later = static_cast<float>(result);  // TD(lambda), for seat 0
    for (std::size_t i = searched_.size(); i-- > 0;) {
      const float side = movers_[i] == 0 ? 1.0f : -1.0f, searched = side * searched_[i];
      searched_[i] = side * (settings_.result_share * static_cast<float>(result) + (1 - settings_.result_share) * later);
      later = settings_.trace * later + (1 - settings_.trace) * searched;
    }
    for (std::size_t i = 0; i < searched_.size(); ++i) {
      if (sampled_[i]) now_.value.push_back(searched_[i]);
    }
    finished.add(now_);
    now_.clear();
    movers_.clear();
    searched_.clear();
    sampled_.clear();
    start();
  }

  void start() {
    do {
      g_.deal(state_, Rng{rng_.next()});
      int random = draw(settings_.random_actions);
      if (random == static_cast<int>(settings_.random_actions.size()) - 1) {
        random += static_cast<int>(rng_.below(static_cast<std::uint32_t>(kMostRandom - random + 1)));
      }
      for (Actions<G> actions; random > 0 && state_.pub.turn != kNobody; --random) {
        legal(g_, state_, actions);
        g_.apply(state_, actions[static_cast<int>(rng_.below(static_cast<std::uint32_t>(actions.size)))]);
      }
    } while (state_.pub.turn == kNobody);
    decisions_ = 0;
    decided_ = false;
    answers_.clear();
    resigns_ = rng_.unit() >= settings_.play_on;
    start_search();
  }

  int draw(const std::array<float, 5>& shares) {
    double total = 0;
    for (float share : shares) total += share;
    double left = rng_.unit() * total;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if ((left -= shares[i]) < 0) return static_cast<int>(i);
    }
    return 0;
  }
};

// All matches, stepped in parallel.
template <Encodable G>
class SelfPlay {
 public:
  SelfPlay(const G& g, SelfPlaySettings settings, int matches, std::uint64_t seed, int threads)
      : g_(g), settings_(settings), workers_(threads) {
    Rng seeds{seed};
    for (int i = 0; i < matches; ++i) matches_.push_back(std::make_unique<SelfPlayMatch<G>>(g_, settings_, seeds.next()));
  }

  std::size_t size() const { return matches_.size(); }
  SelfPlaySettings& settings() { return settings_; }

  // Writes the leaves of all matches: [matches, planes, side, side].
  void select(std::int8_t* out) {
    each([&](std::size_t i) { matches_[i]->encode(out + i * bytes_of(g_)); });
  }

  // Takes the evaluations, [matches, side²] and [matches], and writes the next leaves to `out`.
  void expand(const float* logits, const float* values, std::int8_t* out) {
    each([&](std::size_t i) {
      matches_[i]->expand(logits + i * cells_of(g_), values[i]);
      matches_[i]->encode(out + i * bytes_of(g_));
    });
  }

  // The samples of the matches finished since the last call, in the order of the matches.
  Samples take() {
    Samples out;
    for (auto& match : matches_) {
      out.add(match->finished);
      match->finished.clear();
    }
    return out;
  }

  SelfPlayCounts counts() const {
    SelfPlayCounts sum;
    for (const auto& match : matches_) {
      sum.matches += match->counts.matches;
      sum.decisions += match->counts.decisions;
      sum.evaluations += match->counts.evaluations;
      sum.first_wins += match->counts.first_wins;
      sum.resigned += match->counts.resigned;
    }
    return sum;
  }

  template <class Archive>
  void serialise(Archive& archive) {
    for (auto& match : matches_) match->serialise(archive);
  }

 private:
  const G& g_;
  SelfPlaySettings settings_;
  std::vector<std::unique_ptr<SelfPlayMatch<G>>> matches_;
  Workers workers_;

  // Calls work(i) for every match, in parallel: a thread that is done takes the next few.
  template <class Work>
  void each(const Work& work) {
    constexpr std::size_t few = 16;
    std::atomic<std::size_t> next{0};
    workers_.run([&](std::size_t) {
      for (std::size_t from; (from = next.fetch_add(few)) < size();) {
        for (std::size_t i = from; i < std::min(size(), from + few); ++i) work(i);
      }
    });
  }
};

}  // namespace ludoteca
