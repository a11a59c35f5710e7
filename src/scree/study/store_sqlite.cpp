/// The file of results, by SQLite.
///
/// With a rollback journal and full synchronisation: one file when nobody writes, on any file system; what a
/// commit returned from survives a loss of power. The lock is held for the whole pass, so that two studies
/// cannot write one file.
#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>
#include <map>

#include "scree/core/errors.hpp"
#include "scree/core/hash.hpp"
#include "scree/core/text.hpp"
#include "scree/study/store.hpp"

namespace scree {
namespace {

constexpr const char* kFormat = "1";

const char* verdict_name(Verdict v) {
  return v == Verdict::success ? "success" : v == Verdict::failure ? "failure" : "broken";
}
Verdict verdict_of(const std::string& name) {
  return name == "success" ? Verdict::success : name == "failure" ? Verdict::failure : Verdict::broken;
}

/// A name as SQL takes it, whatever is in it.
std::string sql_name(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

/// One line for what SQLite refuses.
[[noreturn]] void refuse(const std::filesystem::path& file, sqlite3* db, int code) {
  // A write that fails otherwise than for lack of room: a quota, a limit of the file's size.
  if (code == SQLITE_IOERR_WRITE) code = SQLITE_FULL;
  // A file that was opened to be read for lack of rights is no error to SQLite until it is written.
  const bool told = db != nullptr && sqlite3_errcode(db) != SQLITE_OK;
  const std::string detail = told ? sqlite3_errmsg(db) : sqlite3_errstr(code);
  switch (code & 0xff) {
    case SQLITE_NOTADB:
      input_error("{}: is not a file of a study", file.string());
    case SQLITE_CORRUPT:
      input_error("{}: is damaged ({}); run the study anew into another file", file.string(), detail);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      input_error("{}: another program is writing it at this moment", file.string());
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      input_error("{}: cannot be opened for writing ({}); give another place with --out", file.string(),
                  detail);
    case SQLITE_FULL:
      run_error(
          "{}: the disk is full, or a limit is reached; all but the last batch of trials is kept: make room "
          "and --resume",
          file.string());
    default:
      run_error("{}: cannot be written or read: {}; --resume goes on from the last batch", file.string(),
                detail);
  }
}

}  // namespace

/// One prepared statement.
class StudyStatement {
 public:
  StudyStatement(const std::filesystem::path& file, sqlite3* db, const std::string& sql)
      : file_(file), db_(db) {
    const int code = sqlite3_prepare_v2(db, sql.c_str(), -1, &statement_, nullptr);
    if (code != SQLITE_OK) refuse(file_, db_, code);
  }
  ~StudyStatement() { sqlite3_finalize(statement_); }
  StudyStatement(const StudyStatement&) = delete;
  StudyStatement& operator=(const StudyStatement&) = delete;

  void bind(int at, std::int64_t value) { sqlite3_bind_int64(statement_, at, value); }
  void bind(int at, double value) {
    if (std::isnan(value))
      sqlite3_bind_null(statement_, at);
    else
      sqlite3_bind_double(statement_, at, value);
  }
  void bind(int at, const std::string& text) {
    sqlite3_bind_text(statement_, at, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }
  /// Whether there is a row.
  bool step() {
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) refuse(file_, db_, code);
    return code == SQLITE_ROW;
  }
  void run() {
    step();
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }
  std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
  double number(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL ? std::nan("")
                                                                  : sqlite3_column_double(statement_, column);
  }
  bool null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
  std::string text(int column) const {
    const auto* bytes = sqlite3_column_text(statement_, column);
    return bytes == nullptr ? ""
                            : std::string(reinterpret_cast<const char*>(bytes),
                                          static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
  }

 private:
  const std::filesystem::path& file_;
  sqlite3* db_;
  sqlite3_stmt* statement_ = nullptr;
};

namespace {
constexpr int kFixedColumns = 10;
constexpr const char* kFixed =
    "number, cell, trial, seed, outcome, verdict, error, simulated_s, cpu_s, state_hash";

}  // namespace

struct StudyStore::Impl {
  std::filesystem::path file;  ///< its own: the store may be moved
  sqlite3* db = nullptr;
  bool in_batch = false;
  std::vector<std::pair<std::string, std::string>> columns;  ///< of numbers: name and unit
  std::unique_ptr<StudyStatement> insert;

  explicit Impl(std::filesystem::path f) : file(std::move(f)) {}
  ~Impl() {
    insert.reset();
    if (db != nullptr) sqlite3_close(db);
  }
  void execute(const std::string& sql) {
    const int code = sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) refuse(file, db, code);
  }
  void begin() {
    if (in_batch) return;
    execute("BEGIN IMMEDIATE");
    in_batch = true;
  }
  /// "speed:mean [m/s]"
  static std::string title(const std::string& name, const std::string& unit) {
    return fmt::format("{} [{}]", name, unit);
  }
  void read_columns() {
    columns.clear();
    StudyStatement s(file, db, "SELECT name FROM pragma_table_info('trial')");
    int place = 0;
    while (s.step()) {
      if (place++ < kFixedColumns) continue;
      const std::string both = s.text(0);
      const auto at = both.rfind(" [");
      columns.emplace_back(both.substr(0, at),
                           at == std::string::npos ? "" : both.substr(at + 2, both.size() - at - 3));
    }
    insert.reset();
  }
  void add_column(const std::string& name, const std::string& unit) {
    execute(fmt::format("ALTER TABLE trial ADD COLUMN {} REAL", sql_name(title(name, unit))));
    columns.emplace_back(name, unit);
    insert.reset();
  }
  std::string select() const {
    std::string sql = fmt::format("SELECT {}", kFixed);
    for (const auto& [name, unit] : columns) sql += ", " + sql_name(title(name, unit));
    return sql + " FROM trial";
  }
  TrialRow row_of(const StudyStatement& s) const {
    TrialRow row;
    row.done = true;
    row.cell = static_cast<std::size_t>(s.integer(1));
    row.trial = static_cast<int>(s.integer(2));
    row.seed = static_cast<std::uint64_t>(s.integer(3));
    row.outcome = s.text(4);
    row.verdict = verdict_of(s.text(5));
    row.error = s.text(6);
    row.simulated_s = s.number(7);
    row.cpu_s = s.number(8);
    row.state_hash = std::strtoull(s.text(9).c_str(), nullptr, 16);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const int column = kFixedColumns + static_cast<int>(i);
      if (!s.null(column)) row.numbers.push_back({columns[i].first, columns[i].second, s.number(column)});
    }
    return row;
  }
};

StudyStore::StudyStore(std::filesystem::path file, Mode mode) : file_(std::move(file)) {
  impl_ = std::make_unique<Impl>(file_);
  const int flags = mode == Mode::read     ? SQLITE_OPEN_READONLY
                    : mode == Mode::create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                           : SQLITE_OPEN_READWRITE;
  std::error_code status;
  if (mode != Mode::create && !std::filesystem::exists(file_, status))
    input_error("{}: there is no such file", file_.string());
  const int code = sqlite3_open_v2(file_.c_str(), &impl_->db, flags, nullptr);
  if (code != SQLITE_OK) refuse(impl_->file, impl_->db, code);
  sqlite3_extended_result_codes(impl_->db, 1);
  if (mode != Mode::read) {
    // A file system that refuses to write says so now, not after the first batch.
    impl_->execute("PRAGMA locking_mode = EXCLUSIVE");
    impl_->execute("PRAGMA journal_mode = DELETE");
    impl_->execute("PRAGMA synchronous = FULL");
    if (sqlite3_db_readonly(impl_->db, "main") == 1) refuse(impl_->file, impl_->db, SQLITE_READONLY);
    impl_->execute("BEGIN IMMEDIATE");
    impl_->execute("COMMIT");
  }
  int tables = 0, ours = 0;
  {
    StudyStatement s(impl_->file, impl_->db, "SELECT name FROM sqlite_master WHERE type = 'table'");
    for (; s.step(); ++tables) ours += s.text(0) == "meta" || s.text(0) == "cell" || s.text(0) == "trial";
  }
  // A pass that was ended before its first word leaves a file without tables.
  if (tables == 0 && mode != Mode::read) {
    fresh_ = true;
    impl_->begin();  // until the stamp is there: the file is a study from its first byte, or empty
    impl_->execute(
        "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
        "CREATE TABLE cell (cell INTEGER, factor TEXT, value TEXT, PRIMARY KEY (cell, factor)) WITHOUT ROWID;"
        "CREATE TABLE trial (number INTEGER PRIMARY KEY, cell INTEGER NOT NULL, trial INTEGER NOT NULL, "
        "seed INTEGER NOT NULL, outcome TEXT NOT NULL, verdict TEXT NOT NULL, error TEXT NOT NULL, "
        "simulated_s REAL, cpu_s REAL, state_hash TEXT NOT NULL)");
    return;
  }
  if (ours != 3) input_error("{}: is not a file of a study", file_.string());
  StudyStatement s(impl_->file, impl_->db, "SELECT value FROM meta WHERE key = 'format'");
  if (!s.step()) input_error("{}: is not a file of a study", file_.string());
  if (s.text(0) != kFormat)
    input_error("{}: format {} of studies; this program reads {}", file_.string(), s.text(0), kFormat);
  impl_->read_columns();
}
StudyStore::~StudyStore() = default;
StudyStore::StudyStore(StudyStore&& other) noexcept = default;

namespace {
const std::vector<std::pair<const char*, std::string StudyStamp::*>>& stamp_fields() {
  static const std::vector<std::pair<const char*, std::string StudyStamp::*>> fields = {
      {"name", &StudyStamp::name},
      {"study_file", &StudyStamp::study_file},
      {"study_text", &StudyStamp::study_text},
      {"scenario_file", &StudyStamp::scenario_file},
      {"scenario_text", &StudyStamp::scenario_text},
      {"models", &StudyStamp::models},
      {"version", &StudyStamp::version}};
  return fields;
}
}  // namespace

void StudyStore::write_stamp(const StudyStamp& stamp, const Plan& plan) {
  impl_->begin();
  StudyStatement meta(impl_->file, impl_->db, "INSERT OR REPLACE INTO meta VALUES (?, ?)");
  for (const auto& [key, member] : stamp_fields()) {
    meta.bind(1, std::string(key));
    meta.bind(2, stamp.*member);
    meta.run();
  }
  StudyStatement cells(impl_->file, impl_->db, "INSERT INTO cell VALUES (?, ?, ?)");
  for (std::size_t cell = 0; cell < plan.cells(); ++cell) {
    const std::vector<std::string> values = plan.values_of(cell);
    for (std::size_t f = 0; f < values.size(); ++f) {
      cells.bind(1, static_cast<std::int64_t>(cell));
      cells.bind(2, plan.factors[f].name);
      cells.bind(3, values[f]);
      cells.run();
    }
  }
  meta.bind(1, std::string("format"));
  meta.bind(2, std::string(kFormat));
  meta.run();
  commit();
}

StudyStamp StudyStore::read_stamp() const {
  StudyStamp stamp;
  for (const auto& [key, member] : stamp_fields()) {
    StudyStatement s(impl_->file, impl_->db, "SELECT value FROM meta WHERE key = ?");
    s.bind(1, std::string(key));
    if (s.step()) stamp.*member = s.text(0);
  }
  return stamp;
}

void StudyStore::renew(const StudyStamp& stamp) {
  impl_->begin();
  StudyStatement s(impl_->file, impl_->db, "UPDATE meta SET value = ? WHERE key = 'study_text'");
  s.bind(1, stamp.study_text);
  s.run();
  commit();
}

void StudyStore::add(const TrialRow& row, std::size_t number) {
  impl_->begin();
  auto& columns = impl_->columns;
  std::vector<double> values(columns.size(), std::nan(""));
  for (const TrialNumber& n : row.numbers) {
    std::size_t k = 0;
    while (k < columns.size() && (columns[k].first != n.name || columns[k].second != n.unit)) ++k;
    if (k == columns.size()) {
      impl_->add_column(n.name, n.unit);
      values.push_back(std::nan(""));
    }
    values[k] = n.value;
  }
  if (!impl_->insert) {
    std::string places(2 * (kFixedColumns + columns.size()) - 1, ',');
    for (std::size_t i = 0; i < places.size(); i += 2) places[i] = '?';
    impl_->insert = std::make_unique<StudyStatement>(impl_->file, impl_->db,
                                                     "INSERT OR IGNORE INTO trial VALUES (" + places + ")");
  }
  StudyStatement& s = *impl_->insert;
  s.bind(1, static_cast<std::int64_t>(number));
  s.bind(2, static_cast<std::int64_t>(row.cell));
  s.bind(3, static_cast<std::int64_t>(row.trial));
  s.bind(4, static_cast<std::int64_t>(row.seed));
  s.bind(5, row.outcome);
  s.bind(6, std::string(verdict_name(row.verdict)));
  s.bind(7, row.error);
  s.bind(8, row.simulated_s);
  s.bind(9, row.cpu_s);
  s.bind(10, hash_text(row.state_hash));
  for (std::size_t i = 0; i < values.size(); ++i) s.bind(kFixedColumns + 1 + static_cast<int>(i), values[i]);
  s.run();
}

void StudyStore::commit() {
  if (!impl_->in_batch) return;
  impl_->execute("COMMIT");
  impl_->in_batch = false;
}

void StudyStore::each(const std::function<void(std::size_t, const TrialRow&)>& visit) const {
  StudyStatement s(impl_->file, impl_->db, impl_->select() + " ORDER BY number");
  while (s.step()) visit(static_cast<std::size_t>(s.integer(0)), impl_->row_of(s));
}

std::optional<TrialRow> StudyStore::find(std::size_t number) const {
  StudyStatement s(impl_->file, impl_->db, impl_->select() + " WHERE number = ?");
  s.bind(1, static_cast<std::int64_t>(number));
  if (!s.step()) return std::nullopt;
  return impl_->row_of(s);
}

}  // namespace scree
