#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "scree/config/section.hpp"
#include "scree/core/random.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

using scree::testing::message_of;
using scree::testing::TemporaryFolder;
using ::testing::HasSubstr;

constexpr const char* kScenario = R"(format = 1
duration = 12.5
[solver]
step = 0.001
[[robot]]
name = "rover"
yaw = 0.5
position = [1.0, 2.0, 3.0]
[robot.control]
kind = "hold"
[[robot]]
name = "second"
)";

double required_number(Section& section, const std::string& key) {
  double value = std::numeric_limits<double>::quiet_NaN();
  section.number(key, value, {.required = true});
  return value;
}
double number_at(const Document& document, const std::string& key) {
  auto root = document.root();
  return required_number(root, key);
}
double number_at(const Document& document, const std::string& table, const std::string& key) {
  auto root = document.root();
  auto section = root.child(table);
  return required_number(section, key);
}

TEST(DocumentFile, MissingFileFolderAndUnreadableFileAreNamed) {
  TemporaryFolder folder;
  EXPECT_THAT(message_of([&] { Document::from_file(folder.path() / "none.toml"); }),
              HasSubstr("none.toml: cannot be read: No such file"));
  EXPECT_THAT(message_of([&] { Document::from_file(folder.path()); }), HasSubstr("is a folder"));
  if (::geteuid() != 0) {  // root reads anything
    folder.write("locked.toml", "a = 1");
    std::filesystem::permissions(folder.path() / "locked.toml", std::filesystem::perms::none);
    EXPECT_THAT(message_of([&] { Document::from_file(folder.path() / "locked.toml"); }),
                HasSubstr("Permission denied"));
  }
}

TEST(DocumentFile, AnEndlessDeviceIsRefused) {
  EXPECT_THAT(message_of([] { Document::from_file("/dev/zero"); }), HasSubstr("larger than 64 MB"));
}

TEST(DocumentFile, EmptyFileIsAnEmptyTable) {
  TemporaryFolder folder;
  folder.write("empty.toml", "");
  const auto document = Document::from_file(folder.path() / "empty.toml");
  EXPECT_TRUE(document.root().keys().empty());
  EXPECT_THAT(message_of([&] { number_at(document, "duration"); }),
              HasSubstr("empty.toml: duration: missing; it must be given"));
}

TEST(DocumentFile, SyntaxErrorNamesFileAndLine) {
  EXPECT_THAT(message_of([] { Document::from_text("a = 1\nb = = 2\n", "bad.toml"); }),
              HasSubstr("bad.toml:2: not valid TOML: "));
  EXPECT_THAT(message_of([] { Document::from_text("a = 1\na = 2\n", "bad.toml"); }),
              HasSubstr("bad.toml:2: "));
}

TEST(Document, LettersBeyondAsciiBelongIntoQuotesAndComments) {
  const auto document = Document::from_text(
      "\xef\xbb\xbf# Geröll ȅ\n'größe' = 1 # ȅ\n[\"Hügel\"]\ntext = \"ȅä\"\nmany = \"\"\"ä\nß \\\n  "
      "end\"\"\"\n",
      "t");
  EXPECT_THAT(document.text(), HasSubstr("ȅä"));
  const auto refused = [](const char* text, const char* words) {
    EXPECT_THAT(message_of([&] { Document::from_text(text, "t.toml"); }), HasSubstr(words)) << text;
  };
  refused("a = 1\nkindȅ = 2\n", "t.toml:2: a letter beyond ASCII");
  refused("a = ä\n", "t.toml:1: a letter beyond ASCII");
  refused("[größe]\n", "t.toml:1: a letter beyond ASCII");
  refused("a = \"\"\"\n\n x \\\n  ä\"\"\"\n", "t.toml:3: a letter beyond ASCII after a backslash");
  refused("a = \"\"\"\\ä\"\"\"\n", "after a backslash");
  // A quote or bracket opens something at the beginning of a value only: within a word, the parser still
  // looks for the word's end.
  for (const char* word :
       {"[1e-\"ȅ\"]", "=\"ȅ\"", "1.'ȅ", "[1e9=\"ȅ\"-1,4]", "[1e-{\"ȅ\",4]", "[1e-[\"ȅ\",4']", "1e9=\"ȅ\"",
        "{a=1=\"ȅ\"}", "\"\"x\"ȅ\"", "{a=[1],b=2\"ȅ\"}", "inf.\"ȅ\""})
    refused(fmt::format("b = 1\na = {}\n", word).c_str(), "t.toml:2: a letter beyond ASCII outside quotes");
  for (const char* good :
       {"a=\"ȅ\"\nb=[\"ä\",\"ö\"]\n", "c={d='ü'}\n", "e.\"f=g\"=1\n", "e.\"ü\"=1\n",
        "a={b=[{c=\"ä\"}],d=\"ö\"}\n", "a=[[1,\n'ä'],[\"ö\"]]\n['ä']\n[[\"ö\".\"ü\"]]\nb=\"ß\"\n",
        "\"ä\"=\"ö\"\n'a'.'ü' = [ # ä\n 1 ]\n"})
    EXPECT_NO_THROW(Document::from_text(good, "t")) << good;
  // The same on the command line, where a bare word is text.
  auto changed = Document::from_text("a = 1\n", "t");
  changed.set("b=Gelände.tif");
  changed.set("c=[\"ȅ\"]");
  EXPECT_THAT(changed.text(), HasSubstr("Gelände.tif"));
  EXPECT_THAT(message_of([&] { changed.set("d=[ȅ]"); }), HasSubstr("a letter beyond ASCII"));
}

TEST(DocumentFile, FileKeysAreRelativeToTheFileThatNamesThem) {
  TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "sub");
  folder.write("sub/a.toml", "grid = \"../hill.txt\"\nother = \"absent.txt\"\nabsolute = \"/x/y\"\n");
  folder.write("hill.txt", "1");
  const auto document = Document::from_file(folder.path() / "sub/a.toml");
  auto root = document.root();
  std::filesystem::path grid, other, absolute;
  root.file("grid", grid, {});
  root.file("other", other, {});
  root.file("absolute", absolute, {});
  EXPECT_EQ(grid, (folder.path() / "hill.txt").lexically_normal());
  EXPECT_EQ(absolute, "/x/y");
  EXPECT_EQ(root.folder(), folder.path() / "sub");
  // Copied elsewhere, the resolved text still names the same file; what does not exist stays as it was.
  const auto resolved = Document::from_text(document.text(), "copy", "/nowhere");
  auto again = resolved.root();
  std::filesystem::path grid_again, other_again;
  again.file("grid", grid_again, {});
  EXPECT_EQ(std::filesystem::canonical(grid_again), std::filesystem::canonical(grid));
  EXPECT_THAT(document.text(), HasSubstr("'absent.txt'"));
}

TEST(DocumentFile, FilesInAssignmentsAreRelativeToTheFileThatListsThem) {
  TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "sub");
  folder.write(
      "sub/a.toml",
      "set = [\"drive.file=\\\"../motor.toml\\\"\", \"drive.file = ../motor.toml\", \"drive.kind=dc\", "
      "\"drive.file=/x/y\", \"wrong\"]\n");
  folder.write("motor.toml", "");
  const std::string motor = std::filesystem::weakly_canonical(folder.path() / "motor.toml").string();
  auto document = Document::from_file(folder.path() / "sub/a.toml");
  std::vector<std::string> list;
  document.root().assignments("set", list, {"file"}, {});
  const std::vector<std::string> wanted{"drive.file='" + motor + "'", "drive.file='" + motor + "'",
                                        "drive.kind=dc", "drive.file=/x/y", "wrong"};
  EXPECT_EQ(list, wanted);
  // Copied elsewhere, the resolved text names the same files.
  std::vector<std::string> again;
  Document::from_text(document.text(), "copy", "/nowhere").root().assignments("set", again, {"file"}, {});
  EXPECT_EQ(again, wanted);
  // On the command line: as the shell sees it.
  document.set("set=[\"drive.file=motor.toml\"]");
  document.root().assignments("set", list, {"file"}, {});
  EXPECT_EQ(list, std::vector<std::string>{"drive.file='" +
                                           (std::filesystem::current_path() / "motor.toml").string() + "'"});
}

TEST(DocumentSet, OverridesAValueAndLeavesTheRest) {
  auto document = Document::from_text(kScenario, "s.toml");
  document.set("duration=3");
  document.set("solver.step = 1e-4");
  EXPECT_EQ(number_at(document, "duration"), 3);
  EXPECT_EQ(number_at(document, "solver", "step"), 1e-4);
  EXPECT_EQ(number_at(document, "format"), 1);
}

TEST(DocumentSet, CreatesTablesAndBareWordsAreText) {
  auto document = Document::from_text(kScenario);
  document.set("terrain.kind=flat");
  document.set("terrain.note=\"two words\"");
  document.set("terrain.day=2020-01-01");
  document.set("record.signals=[\"speed\", \"wheel.*\"]");
  auto root = document.root();
  auto terrain = root.child("terrain");
  std::string kind, note, day;
  terrain.text("kind", kind, {});
  terrain.text("note", note, {});
  terrain.text("day", day, {});
  EXPECT_EQ(kind, "flat");
  EXPECT_EQ(note, "two words");
  EXPECT_EQ(day, "2020-01-01");
  std::vector<std::string> signals;
  root.child("record").texts("signals", signals, {});
  EXPECT_EQ(signals.size(), 2u);
}

TEST(DocumentSet, ReachesElementsOfArraysByNumber) {
  auto document = Document::from_text(kScenario, "s.toml");
  document.set("robot.1.yaw_deg=10");
  document.set("robot.0.position.2=0.25");
  document.set("robot.0.control.kind=drive");
  document.set("robot.2.name=third");  // one beyond the last: a new one
  document.set("event.0.kind=goal");   // creates the array
  EXPECT_THAT(message_of([&] { document.set("robot.7.name=x"); }), HasSubstr("'robot' has 3 elements"));
  EXPECT_THAT(message_of([&] { document.set("robot.name=x"); }), HasSubstr("name the element by number"));
  std::vector<std::string> names, kinds;
  std::vector<double> heights;
  auto root = document.root();
  root.each("robot", "", [&](Section& robot) {
    robot.text("name", names.emplace_back(), {});
    Vec3 position = Vec3::Zero();
    robot.vector("position", position, {});
    heights.push_back(position.z());
    robot.child("control").text("kind", kinds.emplace_back(), {});
  });
  EXPECT_THAT(names, ::testing::ElementsAre("rover", "second", "third"));
  EXPECT_THAT(kinds, ::testing::ElementsAre("drive", "", ""));
  EXPECT_EQ(heights[0], 0.25);
  int events = 0;
  root.each("event", "", [&](Section&) { ++events; });
  EXPECT_EQ(events, 1);
}

TEST(DocumentSet, TheIndexMayBeLeftOutOfAnArrayOfOne) {
  auto document = Document::from_text("[[robot]]\nname = \"a\"\n[robot.control]\nkind = \"b\"\n");
  document.set("robot.yaw=0.5");
  document.set("robot.control.kind=c");
  auto root = document.root();
  root.each("robot", "", [](Section& robot) {
    double yaw = 0;
    std::string kind;
    robot.number("yaw", yaw, {});
    robot.child("control").text("kind", kind, {});
    EXPECT_EQ(yaw, 0.5);
    EXPECT_EQ(kind, "c");
  });
}

TEST(DocumentSet, KeysOfARobotsFileGoToTheEndOfItsListOfChanges) {
  Document document = Document::from_text("[[robot]]\nmodel = \"vivi\"\nset = [\"a=1\"]\n");
  Document copy = document.copy();
  document.set("robot.set.wheel.radius=0.03");
  document.set("robot.0.set.link.0.joint=fixed");
  std::vector<std::string> changes;
  const auto read = [&](const Document& d) {
    d.root().each("robot", "", [&](Section& robot) { robot.texts("set", changes, {}); });
    return changes;
  };
  EXPECT_THAT(read(document), ::testing::ElementsAre("a=1", "wheel.radius=0.03", "link.0.joint=fixed"));
  EXPECT_THAT(read(copy), ::testing::ElementsAre("a=1")) << "a copy is changed by itself";
  Document bare = Document::from_text("[[robot]]\n");
  bare.set("robot.set.wheel.radius=0.03");
  EXPECT_THAT(read(bare), ::testing::ElementsAre("wheel.radius=0.03"));
  bare.set("robot.set=[]");
  EXPECT_THAT(read(bare), ::testing::ElementsAre());
}

TEST(SectionLiterals, AreTheValuesAsText) {
  const Document d = Document::from_text("v = [1, 30e-3, \"a \\\"b\\\"\", true, [1, 2.5], {x = \"y\"}]");
  std::vector<std::string> v;
  d.root().literals("v", v, {});
  EXPECT_THAT(v, ::testing::ElementsAre("1", "0.03", "\"a \\\"b\\\"\"", "true", "[1, 2.5]", "{x = \"y\"}"));
  for (const std::string& one : v) EXPECT_NO_THROW(Document::from_text("w = " + one)) << one;
  const Document bad = Document::from_text("v = 3");
  EXPECT_THROW(bad.root().literals("v", v, {}), InputError);
}

TEST(DocumentSet, AnAngleReplacesTheSameAngleInTheOtherUnit) {
  auto document = Document::from_text("[[robot]]\nyaw = 0.5\n");
  document.set("robot.yaw_deg=90");
  auto root = document.root();
  double yaw = 0;
  root.each("robot", "", [&](Section& robot) { robot.angle("yaw", yaw, {}); });
  EXPECT_EQ(yaw, kPi / 2);
  document.set("robot.yaw=0.25");
  root.each("robot", "", [&](Section& robot) { robot.angle("yaw", yaw, {}); });
  EXPECT_EQ(yaw, 0.25);
}

TEST(DocumentSet, ErrorsInOverriddenValuesNameTheCommandLine) {
  auto document = Document::from_text(kScenario, "s.toml");
  document.set("solver.step=fast");
  EXPECT_EQ(message_of([&] { number_at(document, "solver", "step"); }),
            "command line (--set): solver.step: expected a number, found the text \"fast\"");
  document.set("solver.stepp=1");
  auto root = document.root();
  auto solver = root.child("solver");
  solver.ignore("step");
  EXPECT_EQ(message_of([&] { solver.finish(); }),
            "command line (--set): solver.stepp: unknown key; did you mean 'step'?");
}

TEST(DocumentSet, NonsenseIsRefusedAndLeavesNoTrace) {
  auto document = Document::from_text(kScenario, "s.toml");
  const std::string before = document.text();
  for (const char* bad : {"", "=", "=1", "duration", "a..b=1", ".a=1", "a.=1", "duration=", "duration.x=1",
                          "solver=1", "robot=1", "x=[1,", "x={a=", "x=\"open", "x=1\ny=2", "new.table.x=[[",
                          "robot.9.deep.key=1", "robot.0.position.x=1"}) {
    EXPECT_FALSE(message_of([&] { document.set(bad); }).empty()) << bad;
    EXPECT_EQ(document.text(), before) << bad;
  }
}

TEST(DocumentText, ReadsBackToTheSameValues) {
  auto document = Document::from_text(kScenario, "s.toml");
  document.set("solver.step=0.1");
  document.set("solver.tiny=4.9406564584124654e-324");
  document.set("solver.third=0.33333333333333331");
  document.set("name=\"quote \\\" backslash \\\\ end\"");
  const auto again = Document::from_text(document.text());
  EXPECT_EQ(number_at(again, "solver", "step"), 0.1);
  EXPECT_EQ(number_at(again, "solver", "tiny"), 4.9406564584124654e-324);
  EXPECT_EQ(number_at(again, "solver", "third"), 1.0 / 3.0);
  EXPECT_EQ(again.text(), document.text());
  std::string name;
  again.root().text("name", name, {});
  EXPECT_EQ(name, "quote \" backslash \\ end");
}

TEST(DocumentFuzz, BrokenTextGivesAnErrorOfOneLineOrReadsButNeverCrashes) {
  const std::string whole = kScenario;
  int refused = 0;
  const auto attempt = [&](const std::string& text) {
    try {
      auto document = Document::from_text(text, "fuzz.toml");
      document.set("solver.step=1");
      document.text();
    } catch (const InputError& error) {
      ++refused;
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  };
  for (std::size_t length = 0; length < whole.size(); ++length) attempt(whole.substr(0, length));
  EXPECT_GT(refused, 50) << "cut inside a value or a header";
  RandomStream random(1, 0, "fuzz");
  for (int trial = 0; trial < 2000; ++trial) {
    std::string text = whole;
    for (int change = 0; change < 3; ++change) {
      text[random.below(text.size())] = static_cast<char>(random.below(256));
    }
    attempt(text);
  }
  for (int trial = 0; trial < 200; ++trial) {
    std::string noise(random.below(400), ' ');
    for (char& c : noise) c = static_cast<char>(random.below(256));
    attempt(noise);
  }
  for (const char* header : {"[ = ]", "[#", "[.a]", "[[,]]", "[a.=]"}) attempt(header);
  attempt(std::string(100000, '['));
  attempt("a = " + std::string(100000, '['));
  attempt(std::string("a = \"x\0y\"", 9));
  attempt(
      "\xef\xbb\xbf"
      "a = 1");
}

TEST(DocumentFuzz, RandomAssignmentsNeverCrash) {
  RandomStream random(2, 0, "fuzz");
  const std::string alphabet = "robot.solver=0129-\"'[]{},x_ \t#";
  for (int trial = 0; trial < 3000; ++trial) {
    auto document = Document::from_text(kScenario, "fuzz.toml");
    std::string text(random.below(20), ' ');
    for (char& c : text) c = alphabet[random.below(alphabet.size())];
    try {
      document.set(text);
      Document::from_text(document.text(), "again");
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("--set")) << text;
    }
  }
}

}  // namespace
}  // namespace scree
