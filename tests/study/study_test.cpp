/// Studies: files, schedule, results that survive anything, tables.
#include "scree/study/study.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <set>
#include <thread>

#include "scree/core/hash.hpp"
#include "scree/core/random.hpp"
#include "scree/sim/run.hpp"
#include "scree/study/trial_message.hpp"
#include "support/errors.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

/// Newcombe 1998 (Stat. Med. 17), Table I, method 3, and the defining equation (p - q)² = z² q (1 - q)/n.
TEST(Wilson, HasThePublishedIntervalsAndSolvesItsEquation) {
  const auto near = [](const Interval& i, double low, double high) {
    EXPECT_NEAR(i.low, low, 5e-5);
    EXPECT_NEAR(i.high, high, 5e-5);
  };
  near(wilson(81, 263), 0.2553, 0.3662);
  near(wilson(15, 148), 0.0624, 0.1605);
  near(wilson(0, 20), 0, 0.1611);
  near(wilson(1, 29), 0.0061, 0.1718);
  for (const std::uint64_t n : {1u, 7u, 30u, 500u})
    for (std::uint64_t k = 0; k <= n; k += 1 + n / 9) {
      const Interval i = wilson(k, n);
      const double p = static_cast<double>(k) / static_cast<double>(n);
      EXPECT_TRUE(i.contains(p));
      for (const double q : {i.low, i.high}) {
        if (q <= 0 || q >= 1) continue;
        EXPECT_NEAR((p - q) * (p - q), kNinetyFive * kNinetyFive * q * (1 - q) / static_cast<double>(n),
                    1e-12);
      }
      const Interval mirrored = wilson(n - k, n);
      EXPECT_NEAR(mirrored.low, 1 - i.high, 1e-12);
    }
  EXPECT_EQ(wilson(0, 0).width(), 1);
}

TEST(Latin, MeetsEveryLevelEquallyOftenAndEveryStratumOnce) {
  const auto design = latin_design(60, {60, 3, 4}, 7);
  std::vector<std::vector<int>> count = {std::vector<int>(60), std::vector<int>(3), std::vector<int>(4)};
  for (const auto& cell : design)
    for (int f = 0; f < 3; ++f) ++count[f][cell[f]];
  EXPECT_THAT(count[0], ::testing::Each(1));
  EXPECT_THAT(count[1], ::testing::Each(20));
  EXPECT_THAT(count[2], ::testing::Each(15));
  EXPECT_EQ(design, latin_design(60, {60, 3, 4}, 7));
  EXPECT_NE(design, latin_design(60, {60, 3, 4}, 8));
}

/// Runs a schedule on made-up verdicts in an order of its own; the trials that were run.
std::set<std::size_t> run_schedule(StudySchedule& schedule, std::size_t cells, std::uint64_t order,
                                   std::size_t most = 1u << 30) {
  RandomStream stream(order, 0, "order");
  std::vector<std::size_t> under_way;
  std::set<std::size_t> ran;
  while (!schedule.exhausted() && ran.size() < most) {
    const auto number = stream.uniform() < 0.6 ? schedule.next() : std::nullopt;
    if (number) {
      EXPECT_TRUE(ran.insert(*number).second) << "a trial was given out twice";
      under_way.push_back(*number);
    } else if (!under_way.empty()) {
      const std::size_t k = stream.below(under_way.size());
      const std::size_t n = under_way[k];
      under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(k));
      const TrialPlace place = place_of(n, cells);
      TrialRow row;
      RandomStream made(5, n, "verdict");
      row.verdict =
          made.uniform() < 0.1 + 0.25 * static_cast<double>(place.cell) ? Verdict::success : Verdict::failure;
      schedule.ended(n, row);
    }
  }
  return ran;
}

TEST(Schedule, RunsEveryTrialOnceAndCellsSideBySide) {
  StudySchedule all(4, 25, {});
  all.begin();
  std::vector<std::size_t> order;
  for (int i = 0; i < 8; ++i) order.push_back(*all.next());
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  StudySchedule again(4, 25, {});
  again.begin();
  EXPECT_EQ(run_schedule(again, 4, 1).size(), 100u);
  EXPECT_EQ(again.done(), 1);
}

TEST(Schedule, SequentialStopsAtTheSameTrialsInAnyOrderAndAfterAnyBreak) {
  const SequentialSettings settings{0.2, 10, 20};
  std::set<std::size_t> first;
  for (std::uint64_t order = 1; order < 6; ++order) {
    StudySchedule s(4, 400, settings);
    s.begin();
    const auto ran = run_schedule(s, 4, order);
    if (order == 1) first = ran;
    EXPECT_EQ(ran, first) << "order " << order;
    EXPECT_EQ(s.done(), 1);
  }
  for (std::size_t cell = 0; cell < 4; ++cell) {
    std::uint64_t successes = 0, trials = 0;
    for (const std::size_t n : first) {
      if (n % 4 != cell) continue;
      ++trials;
      RandomStream made(5, n, "verdict");
      successes += made.uniform() < 0.1 + 0.25 * static_cast<double>(cell);
    }
    EXPECT_LE(wilson(successes, trials).width(), 0.2) << cell;
    EXPECT_GE(trials, 20u);
    EXPECT_LT(trials, 120u) << "94 trials do for any rate: 4 z² p (1 - p)/0.04";
  }
  // Broken off after any number of ended trials.
  for (const std::size_t kept : {1u, 17u, 60u, 130u}) {
    StudySchedule rest(4, 400, settings);
    std::size_t k = 0;
    for (const std::size_t n : first) {
      if (++k > kept) break;
      RandomStream made(5, n, "verdict");
      const TrialPlace place = place_of(n, 4);
      rest.remember(place, made.uniform() < 0.1 + 0.25 * static_cast<double>(place.cell) ? Verdict::success
                                                                                         : Verdict::failure);
    }
    rest.begin();
    EXPECT_EQ(run_schedule(rest, 4, 3).size() + kept, first.size());
  }
}

/// Trials that broke off by themselves say nothing about the rate: a cell of them alone gets all its trials.
TEST(Schedule, BrokenTrialsMakeNoIntervalNarrow) {
  StudySchedule s(2, 200, {0.2, 10, 20});
  s.begin();
  int ran[2] = {0, 0};
  while (const auto number = s.next()) {
    const TrialPlace place = place_of(*number, 2);
    ++ran[place.cell];
    TrialRow row;
    row.verdict = place.cell == 0 ? Verdict::broken : Verdict::failure;
    s.ended(*number, row);
  }
  EXPECT_EQ(ran[0], 200);
  EXPECT_EQ(ran[1], 20);
}

TEST(TrialMessage, IsTheSameOnTheOtherSide) {
  TrialRow row;
  row.cell = 7, row.trial = 9, row.seed = ~0ull >> 1, row.done = true, row.outcome = "goal",
  row.error = "a \"line\"", row.verdict = Verdict::success, row.simulated_s = 0.1, row.cpu_s = 1e-300;
  row.state_hash = 0xfeedfacecafebeef;
  row.numbers = {{"speed:mean", "m/s", 1.0 / 3}, {"x", "m", std::nan("")}};
  const std::string bytes = pack_row(row);
  EXPECT_EQ(pack_row(unpack_row(bytes)), bytes);
  EXPECT_EQ(unpack_row(bytes).numbers[0].value, 1.0 / 3);
  EXPECT_EQ(unpack_row(bytes).state_hash, row.state_hash);
  for (std::size_t cut = 0; cut < bytes.size(); ++cut)
    EXPECT_THROW(unpack_row(bytes.substr(0, cut)), std::runtime_error) << cut;
}

const char* const kHill =
    "format = 1\nduration = 0.3\nseed = 5\n[terrain]\nkind = \"fbm\"\nsize = [8, 8]\ncell = 0.25\n"
    "sigma = 0.02\n[[robot]]\nmodel = \"skid4\"\nstart = {position = [0.0, 0.0], speed = 1.0}\n";
const char* const kStudy = R"(format = 1
scenario = "hill.toml"
trials = 3
seed = 2
measures = ["speed:mean"]
[[factor]]
key = "terrain.sigma"
values = [0.01, 0.05]
[[factor]]
name = "wheel"
[[factor.level]]
name = "small"
set = ["robot.set.wheel.radius=0.1", "robot.set.wheel.width=0.05"]
[[factor.level]]
name = "large"
set = ["robot.set.wheel.radius=0.15"]
[[draw]]
key = "robot.start.position.1"
range = [-1.0, 1.0]
[[success]]
kind = "goal"
area = [0.15, 4.0, -4.0, 0.3]
[[failure]]
kind = "time_out"
time = 0.25
)";

class StudyFile : public ::testing::Test {
 protected:
  StudyFile() {
    folder_.write("hill.toml", kHill);
    file_ = folder_.write("study.toml", kStudy);
  }
  std::string changed(const std::string& from, const std::string& to) const {
    std::string text = kStudy;
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }
  /// The line that refuses a changed study.
  std::string refused(const std::string& from, const std::string& to) const {
    const auto file = folder_.write("bad.toml", changed(from, to));
    return message_of([&] {
      const Study s = read_study(file);
      check_study(s, TrialRunner(s.plan));
    });
  }
  /// All trials as text.
  std::string run_to(const std::filesystem::path& db, int jobs, bool resume = false,
                     const std::vector<std::string>& changes = {}) const {
    const Study s = read_study(file_, changes);
    const TrialRunner runner(s.plan);
    StudyStore store = open_results(s, runner, db, resume, false);
    run_study(s, runner, store, {.jobs = jobs});
    return trials_csv(s, store);
  }
  testing::TemporaryFolder folder_;
  std::filesystem::path file_;
};

TEST_F(StudyFile, SaysCellsTrialsAndRules) {
  const Study s = read_study(file_);
  EXPECT_EQ(s.plan.cells(), 4u);
  EXPECT_THAT(s.plan.values_of(2), ElementsAre("0.05", "small"));
  ASSERT_EQ(s.plan.rules.size(), 2u);
  EXPECT_TRUE(s.plan.rules[0].success);
  const TrialRunner runner(s.plan);
  check_study(s, runner);
  const Scenario a = runner.scenario({3, 1}), b = runner.scenario({2, 1}), c = runner.scenario({3, 2});
  EXPECT_EQ(a.world->robots()[0].model->wheels()[0].settings.radius, 0.15);
  EXPECT_EQ(b.world->robots()[0].model->wheels()[0].settings.width, 0.05);
  EXPECT_EQ(a.duration, 0.25);
  EXPECT_EQ(a.starts[0].position.y(), b.starts[0].position.y()) << "the same draw in every cell";
  EXPECT_NE(a.starts[0].position.y(), c.starts[0].position.y());
  EXPECT_EQ(a.world->terrain().at(1, 1).z, b.world->terrain().at(1, 1).z) << "and the same ground";
  EXPECT_NE(a.world->terrain().at(1, 1).z, c.world->terrain().at(1, 1).z);
  const Study own = read_study(file_, {"streams=own"});
  const TrialRunner apart(own.plan);
  EXPECT_NE(apart.scenario({3, 1}).world->terrain().at(1, 1).z,
            apart.scenario({2, 1}).world->terrain().at(1, 1).z);
}

TEST_F(StudyFile, LatinDrawsEachRangeOncePerStratum) {
  const auto file =
      folder_.write("latin.toml",
                    "format = 1\nscenario = \"hill.toml\"\nlatin = {cells = 20}\n[[factor]]\nkey = "
                    "\"terrain.sigma\"\nrange = [0.0, 0.2]\n[[factor]]\nkey = "
                    "\"robot.model\"\nvalues = [\"skid4\", \"vivi\"]\n");
  const Study s = read_study(file);
  ASSERT_EQ(s.plan.cells(), 20u);
  std::vector<int> stratum(20);
  int vivis = 0;
  for (std::size_t c = 0; c < 20; ++c) {
    ++stratum[static_cast<std::size_t>(std::stod(s.plan.values_of(c)[0]) / 0.01)];
    vivis += s.plan.values_of(c)[1] == "vivi";
  }
  EXPECT_THAT(stratum, ::testing::Each(1));
  EXPECT_EQ(vivis, 10);
}

TEST_F(StudyFile, RefusesWhatMakesNoSense) {
  EXPECT_THAT(refused("values = [0.01, 0.05]", "values = []"), HasSubstr("the factor is empty"));
  EXPECT_THAT(refused("\"terrain.sigma\"", "\"terrain.sigm\""), HasSubstr("sigma"));
  EXPECT_THAT(refused("robot.set.wheel.radius=0.15", "robot.set.wheel.raduis=0.15"),
              ::testing::AllOf(HasSubstr("'large'"), HasSubstr("radius")));
  EXPECT_THAT(refused("kind = \"time_out\"\ntime = 0.25", "kind = \"goal\"\narea = [0, 1, 0, 1]"),
              HasSubstr("a success and a failure at once"));
  EXPECT_THAT(refused("[[success]]\nkind = \"goal\"\narea = [0.15, 4.0, -4.0, 0.3]", ""),
              HasSubstr("no trial can succeed"));
  EXPECT_THAT(refused("kind = \"time_out\"\ntime = 0.25", "kind = \"left_area\"\narea = [-9, -8, 0, 1]"),
              HasSubstr("outside the area"));
  EXPECT_THAT(refused("area = [0.15, 4.0, -4.0, 0.3]", "area = [0.15, 0.1, -4.0, 0.3]"), HasSubstr("empty"));
  EXPECT_THAT(refused("time = 0.25", ""), HasSubstr("time"));
  EXPECT_THAT(refused("\"hill.toml\"", "\"hil\""), HasSubstr("scenario"));
  EXPECT_THAT(refused("\"speed:mean\"", "\"speed:meen\""), HasSubstr("mean"));
  EXPECT_THAT(refused("\"speed:mean\"", "\"sped:mean\""), HasSubstr("speed"));
  EXPECT_THAT(refused("values = [0.01, 0.05]", "range = [0.01, 0.05]"), HasSubstr("count"));
  EXPECT_THAT(refused("name = \"wheel\"", "name = \"terrain.sigma\""), HasSubstr("two factors"));
  EXPECT_THAT(refused("seed = 2", "seed = 2\nmap = [\"wheel\", \"sigma\"]"),
              HasSubstr("no factor is called"));
  EXPECT_THAT(refused("seed = 2", "seeed = 2"), HasSubstr("seed"));
  folder_.write("hill.toml", std::string(kHill) + "[[event]]\nkind = \"stuck\"\nends_run = true\n");
  EXPECT_THAT(refused("seed = 2", "seed = 3"), HasSubstr("no rule says"));
}

#ifdef SCREE_HAVE_SQLITE
TEST_F(StudyFile, GivesTheSameTableOnAnyNumberOfThreadsAndAfterAnyBreak) {
  const std::string one = run_to(folder_.path() / "one.db", 1), four = run_to(folder_.path() / "four.db", 4);
  EXPECT_EQ(one, four);
  EXPECT_EQ(std::count(one.begin(), one.end(), '\n'), 13);
  EXPECT_THAT(one, HasSubstr(",goal,success,"));
  EXPECT_THAT(one, HasSubstr(",time_out,failure,"));
  // Stopped after some trials, then resumed; and more trials than at first.
  for (const std::size_t after : {1u, 5u, 11u}) {
    const auto db = folder_.path() / ("stopped" + std::to_string(after) + ".db");
    const Study s = read_study(file_);
    const TrialRunner runner(s.plan);
    {
      StudyStore store = open_results(s, runner, db, false, false);
      std::atomic<bool> stop{false};
      std::size_t ended = 0;
      TrialControl control{.jobs = 2, .progress = [&](double) { stop = ++ended >= after; }, .stop = &stop};
      // On a busy machine all trials may have ended before their progress is told.
      const StudyPass pass = run_study(s, runner, store, control);
      EXPECT_EQ(pass.stopped, pass.run < 12u);
      EXPECT_GE(pass.run, after);
    }
    EXPECT_EQ(run_to(db, 2, true), one);
  }
  const auto few = folder_.path() / "few.db";
  run_to(few, 2, false, {"trials=1"});
  EXPECT_EQ(run_to(few, 2, true), one);
}

TEST_F(StudyFile, ATrialIsTheRunThatItsTextDescribes) {
  const Study s = read_study(file_);
  const TrialRunner runner(s.plan);
  const TrialRow row = runner.run({3, 2});
  const std::string text = runner.document({3, 2}).text();
  const RunSummary again =
      run(load_scenario(Document::from_text(text, "trial.toml", folder_.path()), file_), {});
  EXPECT_EQ(row.state_hash, again.state_hash);
  // And again from the results alone, after the study's own files are gone.
  const auto db = folder_.path() / "kept.db";
  run_to(db, 2);
  std::filesystem::remove(file_);
  std::filesystem::remove(folder_.path() / "hill.toml");
  const StudyStore store(db, StudyStore::Mode::read);
  const Study kept = stored_study(store);
  const TrialRunner replay(kept.plan);
  const std::size_t number = number_of({3, 2}, kept.plan.cells());
  EXPECT_EQ(store.find(number)->state_hash, row.state_hash);
  EXPECT_EQ(replay.run({3, 2}).state_hash, row.state_hash);
  EXPECT_FALSE(store.find(1000).has_value());
}

TEST_F(StudyFile, OneTrialThatBreaksDoesNotStopTheOthers) {
  folder_.write("study.toml", changed("values = [0.01, 0.05]", "values = [0.01, -0.05]"));
  const std::string table = run_to(folder_.path() / "broken.db", 2);
  EXPECT_THAT(table, HasSubstr(",refused,broken,"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 13);
  const StudyStore store(folder_.path() / "broken.db", StudyStore::Mode::read);
  const Study s = stored_study(store);
  const StudyResults results = results_of(s, store);
  EXPECT_EQ(results.broken, 6u);
  EXPECT_EQ(results.cells[0].judged, 3u);
  EXPECT_EQ(results.cells[2].judged, 0u) << "what broke says nothing of success";
  EXPECT_THAT(results.first_error, HasSubstr("sigma"));
}

TEST_F(StudyFile, ResumingAnotherStudyIsRefusedAndSaysWhatDiffers) {
  const auto db = folder_.path() / "a.db";
  run_to(db, 2);
  EXPECT_THAT(message_of([&] { run_to(db, 1); }), HasSubstr("--resume"));
  EXPECT_THAT(message_of([&] { run_to(db, 1, true, {"trials=2"}); }), HasSubstr("3 trials"));
  folder_.write("study.toml", changed("radius=0.15", "radius=0.16"));
  EXPECT_THAT(message_of([&] { run_to(db, 1, true); }),
              ::testing::AllOf(HasSubstr("0.15"), HasSubstr("0.16")));
  folder_.write("study.toml", kStudy);
  std::string hill = kHill;
  folder_.write("hill.toml", hill.replace(hill.find("size = [8, 8]"), 13, "size = [9, 8]"));
  EXPECT_THAT(message_of([&] { run_to(db, 1, true); }),
              ::testing::AllOf(HasSubstr("the scenario differs"), HasSubstr("9, 8")));
  folder_.write("hill.toml", kHill);
  run_to(db, 1, true);
}

TEST_F(StudyFile, DamagedLockedAndForeignFilesAreOneLine) {
  const auto db = folder_.path() / "a.db";
  const std::string whole = run_to(db, 2);
  const std::string bytes = folder_.read("a.db");
  const auto resume = [&] { run_to(db, 1, true); };
  folder_.write("a.db", "this is no database at all, but text that is long enough");
  EXPECT_THAT(message_of(resume), HasSubstr("is not a file of a study"));
  // Bytes overwritten in the middle: told, or read as they are; never a crash.
  for (std::size_t at = 100; at + 600 < bytes.size(); at += bytes.size() / 7) {
    std::string damaged = bytes;
    for (std::size_t k = 0; k < 600; ++k) damaged[at + k] = static_cast<char>(0xa5 ^ k);
    folder_.write("a.db", damaged);
    try {
      resume();
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr("a.db"));
    } catch (const RunError& e) {
      EXPECT_THAT(e.what(), HasSubstr("a.db"));
    }
  }
  folder_.write("a.db", bytes.substr(0, bytes.size() / 2));
  EXPECT_THROW(resume(), std::runtime_error);
  folder_.write("a.db", bytes);
  {
    const StudyStore writer(db, StudyStore::Mode::write);
    EXPECT_THAT(message_of(resume), HasSubstr("another program is writing it"));
  }
  resume();
  EXPECT_THAT(message_of([&] { StudyStore(folder_.path() / "none.db", StudyStore::Mode::read); }),
              HasSubstr("no such file"));
}

TEST_F(StudyFile, TablesAndMapShowEveryCell) {
  const auto db = folder_.path() / "a.db";
  run_to(db, 2);
  const StudyStore store(db, StudyStore::Mode::read);
  const Study s = stored_study(store);
  const StudyResults r = results_of(s, store);
  const std::string csv = study_csv(s, r), text = study_text(s, r), json = study_json(s, r);
  EXPECT_THAT(csv, ::testing::StartsWith("terrain.sigma,wheel,cell,trials,judged,successes,rate,low,high,"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
  EXPECT_THAT(json, HasSubstr("\"outcomes\""));
  const auto figure = study_figure(s, r);
  ASSERT_TRUE(figure.has_value());
  ASSERT_EQ(figure->panels.size(), 1u);
  EXPECT_EQ(figure->panels[0].notes.size(), 4u);
}

#ifdef SCREE_HAVE_COMMAND
TEST_F(StudyFile, KilledAtAnyMomentItResumesToTheSameTable) {
  const std::string at = folder_.path().string();
  const auto shell = [&](const std::string& line) {
    return testing::run_program("cd " + at + " && " + line + " 2>&1");
  };
  const std::string study = command() + " study study.toml --trials 80 --jobs 2 --quiet";
  const auto begun = std::chrono::steady_clock::now();
  ASSERT_EQ(shell(study + " --out whole --rows whole.csv").status, 0);
  // In shares of what the whole takes, on whatever machine.
  const double whole = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  int passes = 0, cut = 0;
  for (; passes < 30; ++passes) {
    const auto one = shell(fmt::format("timeout -s KILL {:.3f} {} --out cut --resume --rows cut.csv",
                                       (passes % 2 ? 0.6 : 0.4) * whole, study));
    cut += one.status != 0;
    if (one.status == 0) break;
  }
  EXPECT_GT(cut, 0) << "nothing was killed: the test says nothing";
  ASSERT_EQ(shell(study + " --out cut --resume --rows cut.csv").status, 0);
  EXPECT_EQ(folder_.read("whole.csv"), folder_.read("cut.csv"));
  EXPECT_EQ(folder_.read("whole/cells.csv"), folder_.read("cut/cells.csv"));
}

TEST_F(StudyFile, RunAndRenderTakeATrialOfTheResults) {
  const std::string at = folder_.path().string();
  const auto shell = [&](const std::string& line) {
    return testing::run_program("cd " + at + " && " + line + " 2>&1");
  };
  ASSERT_EQ(shell(command() + " study study.toml --out r --quiet").status, 0);
  for (const char* from : {"r", "r/study.db"}) {
    const auto again = shell(command() + " run --from " + from + " --trial 7");
    EXPECT_EQ(again.status, 0) << again.output;
    EXPECT_THAT(again.output, HasSubstr("as recorded in the study: trial 7"));
  }
  EXPECT_THAT(shell(command() + " run --from r --trial 12").output, HasSubstr("no trial 12; its last is 11"));
  EXPECT_THAT(shell(command() + " run --from r").output, HasSubstr("--trial"));
  EXPECT_THAT(shell(command() + " run --trial 3").output, HasSubstr("--from"));
  EXPECT_EQ(shell(command() + " run --from r --trial 7 --set duration=0.1 --out again").status, 0);
#ifdef SCREE_HAVE_VIEW
  EXPECT_EQ(shell(command() + " render r --trial 7 --at 0.1 --draft --quiet --size 160x120 -o t.png").status,
            0);
  EXPECT_EQ(shell(command() + " render r -o t.png").status, 2);
#endif
}

#ifdef SCREE_HAVE_MPI
TEST_F(StudyFile, RanksGiveTheSameTableAndOneThatIsKilledIsResumed) {
  if (!testing::have_program("mpirun")) GTEST_SKIP() << "no mpirun here";
  const std::string at = folder_.path().string();
  const auto shell = [&](const std::string& line) {
    return testing::run_program("cd " + at +
                                " && export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                                "OMPI_MCA_rmaps_base_oversubscribe=1 && (" +
                                line + ") 2>&1");
  };
  const std::string study = command() + " study study.toml --jobs 1 --quiet --trials ";
  ASSERT_EQ(shell(study + "20 --out one --rows one.csv").status, 0);
  for (const char* ranks : {"2", "3"}) {
    const auto many =
        shell("mpirun -n " + std::string(ranks) + " " + study + "20 --force --out many --rows many.csv");
    ASSERT_EQ(many.status, 0) << many.output;
    EXPECT_EQ(folder_.read("one.csv"), folder_.read("many.csv")) << ranks;
  }
  // Bad input is told once, and nobody waits for ever.
  const auto bad = shell("timeout 60 mpirun -n 2 " + study + "20 --out many");
  EXPECT_THAT(bad.output, HasSubstr("--resume goes on with it"));
  EXPECT_EQ(bad.output.find("scree: error", bad.output.find("scree: error") + 1), std::string::npos)
      << bad.output;
  // One rank killed in the middle: the job ends, the study resumes to the same table.
  shell("mpirun -n 2 " + study +
        "120 --out cut & p=$!; sleep 1; kill -9 $(ps -o pid= --ppid $p | tail -n 1); wait $p");
  ASSERT_EQ(shell("timeout 120 mpirun -n 2 " + study + "120 --out cut --resume --rows cut.csv").status, 0);
  ASSERT_EQ(shell(study + "120 --out whole --rows whole.csv").status, 0);
  EXPECT_EQ(folder_.read("cut.csv"), folder_.read("whole.csv"));
}
#endif

TEST_F(StudyFile, AFullDiskAndAClosedFolderAreOneLine) {
  const std::string at = folder_.path().string();
  const auto shell = [&](const std::string& line) {
    return testing::run_program("cd " + at + " && " + line + " 2>&1");
  };
  const std::string study = command() + " study study.toml --trials 200 --quiet";
  const auto full = shell("(ulimit -f 24; " + study + " --out full)");
  EXPECT_EQ(full.status, 1) << full.output;
  EXPECT_THAT(full.output, HasSubstr("disk is full"));
  EXPECT_EQ(std::count(full.output.begin(), full.output.end(), '\n'), 1) << full.output;
  const auto more = shell(study + " --out full --resume");
  EXPECT_EQ(more.status, 0) << "after room was made: " << more.output;
  folder_.write("file", "");
  EXPECT_EQ(shell(study + " --out file/sub").status, 2);
  EXPECT_EQ(shell(command() + " study study.toml --out full --resume --force").status, 2);
  EXPECT_EQ(shell(command() + " study full/cells.csv").status, 2);
}

/// Results that may only be read: they are shown, and not gone on with.
TEST_F(StudyFile, ResultsThatMayOnlyBeReadAreShown) {
  std::string who;  // the superuser may write anywhere
  if (::geteuid() == 0) {
    if (!testing::have_program("setpriv")) GTEST_SKIP() << "no setpriv here";
    who = "setpriv --reuid=65534 --regid=65534 --clear-groups ";
  }
  const std::string at = folder_.path().string();
  const auto shell = [&](const std::string& line) {
    return testing::run_program("cd " + at + " && " + line + " 2>&1");
  };
  ASSERT_EQ(shell("chmod 755 . && " + command() + " study study.toml --trials 2 --out kept").status, 0);
  if (shell(who + command() + " --version").status != 0)
    GTEST_SKIP() << "the program is not for everyone here";
  shell("chmod 444 kept/*; chmod 555 kept");
  const auto shown = shell(who + command() + " study kept");
  EXPECT_EQ(shown.status, 0) << shown.output;
  EXPECT_THAT(shown.output, HasSubstr("95 % interval"));
  EXPECT_THAT(shown.output, HasSubstr("warning: kept/cells.csv: cannot be written"));
  const auto more = shell(who + command() + " study study.toml --trials 4 --out kept --resume --quiet");
  EXPECT_EQ(more.status, 2);
  EXPECT_THAT(more.output,
              HasSubstr("kept/study.db: cannot be opened for writing (attempt to write a readonly"));
  EXPECT_EQ(std::count(more.output.begin(), more.output.end(), '\n'), 1) << more.output;
  shell("chmod 755 kept");
}
#endif
#endif

}  // namespace
}  // namespace scree
