#include "scree/study/schedule.hpp"

#include <algorithm>

#include "scree/study/wilson.hpp"

namespace scree {

void describe(Section& s, SequentialSettings& x) {
  s.number("width", x.width,
           {.unit = "-",
            .doc = "A cell ends when the 95 % interval of its success rate is no wider; 0: never before its "
                   "`trials`",
            .range = between(0, 1)});
  s.integer("round", x.round,
            {.unit = "-", .doc = "Trials of a cell between decisions", .range = between(1, 1000000)});
  s.integer("least", x.least,
            {.unit = "-", .doc = "Trials of a cell before the first", .range = between(1, 1000000)});
}

StudySchedule::StudySchedule(std::size_t cells, int trials, const SequentialSettings& settings)
    : trials_(trials), settings_(settings), cells_(cells) {
  for (Cell& c : cells_) c.verdict.assign(static_cast<std::size_t>(trials), -1);
  expected_ = cells * static_cast<std::size_t>(trials);
}

void StudySchedule::remember(const TrialPlace& place, Verdict verdict) {
  if (place.cell >= cells_.size() || place.trial < 0 || place.trial >= trials_) return;
  cells_[place.cell].verdict[static_cast<std::size_t>(place.trial)] = static_cast<signed char>(verdict);
  ++ended_;
}

void StudySchedule::begin() {
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    ++open_cells_;
    settle(i);
  }
}

/// Goes on to the next round, or closes the cell, as often as the trials that have ended allow.
void StudySchedule::settle(std::size_t cell) {
  Cell& c = cells_[cell];
  while (!c.closed && c.missing == 0) {
    const bool narrow =
        settings_.width > 0 && c.allowed > 0 &&
        wilson(static_cast<std::uint64_t>(c.successes), static_cast<std::uint64_t>(c.judged)).width() <=
            settings_.width;
    if (narrow || c.allowed == trials_) {
      c.closed = true;
      --open_cells_;
      expected_ -= static_cast<std::size_t>(trials_ - c.allowed);
      return;
    }
    const int from = c.allowed;
    c.allowed = settings_.width > 0
                    ? std::min(trials_, from == 0 ? std::max(settings_.least, 1) : from + settings_.round)
                    : trials_;
    for (int t = from; t < c.allowed; ++t) {
      const signed char v = c.verdict[static_cast<std::size_t>(t)];
      if (v < 0) {
        ++c.missing;
        continue;
      }
      c.judged += v != static_cast<signed char>(Verdict::broken);
      c.successes += v == static_cast<signed char>(Verdict::success);
    }
  }
  if (!c.closed) offer(cell);
}

void StudySchedule::offer(std::size_t cell) {
  Cell& c = cells_[cell];
  while (c.next < c.allowed && c.verdict[static_cast<std::size_t>(c.next)] >= 0) ++c.next;
  if (c.next < c.allowed) ready_.emplace(c.next, cell);
}

std::optional<std::size_t> StudySchedule::next() {
  if (ready_.empty()) return std::nullopt;
  const auto [trial, cell] = *ready_.begin();
  ready_.erase(ready_.begin());
  ++cells_[cell].next;
  offer(cell);
  return number_of({cell, trial}, cells_.size());
}

void StudySchedule::ended(std::size_t number, const TrialRow& row) {
  const TrialPlace place = place_of(number, cells_.size());
  Cell& c = cells_[place.cell];
  signed char& verdict = c.verdict[static_cast<std::size_t>(place.trial)];
  if (verdict >= 0) return;
  verdict = static_cast<signed char>(row.verdict);
  ++ended_;
  --c.missing;
  c.judged += row.verdict != Verdict::broken;
  c.successes += row.verdict == Verdict::success;
  if (c.missing == 0) settle(place.cell);
}

double StudySchedule::done() const {
  return expected_ > 0 ? static_cast<double>(ended_) / static_cast<double>(expected_) : 1;
}

}  // namespace scree
