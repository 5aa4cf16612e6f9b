// SPDX-License-Identifier: MIT
import Testing
import ViewModels

@testable import EuripusNodes

/// A statement of an app, written for SQLite and PostgreSQL alike.
@Suite(.timeLimit(.minutes(30))) struct `A statement of an app` {
  @Test(arguments: [
    ("SELECT 1", "SELECT 1", 0),
    ("SELECT * FROM a WHERE b = ? AND c = ?", "SELECT * FROM a WHERE b = $1 AND c = $2", 2),
    ("SELECT '?', \"?\", 'it''s ?', ?", "SELECT '?', \"?\", 'it''s ?', $1", 1),
    ("SELECT E'\\'?', ?", "SELECT E'\\'?', $1", 1), ("SELECT '\\', ?", "SELECT '\\', $1", 1),
    ("SELECT 'e\u{301}'\u{301}, ?", "SELECT 'e\u{301}'\u{301}, $1", 1),
    ("SELECT ? -- why?\n, ?", "SELECT $1 -- why?\n, $2", 2), ("SELECT 1 -- why?", "SELECT 1 -- why?", 0),
    ("SELECT /* ? /* ? */ ? */ ?", "SELECT /* ? /* ? */ ? */ $1", 1),
    ("SELECT $$ ? $$, $a$ ? $$ ? $a$, ?", "SELECT $$ ? $$, $a$ ? $$ ? $a$, $1", 1),
    ("SELECT a$b, ?", "SELECT a$b, $1", 1), ("SELECT 3-?, 3/?", "SELECT 3-$1, 3/$2", 2),
    ("(SELECT 1) UNION SELECT ?", "(SELECT 1) UNION SELECT $1", 1),
    ("with a as (select ?) insert into b select * from a", "with a as (select $1) insert into b select * from a", 1),
  ])
  func `has a number for each question mark that stands for a value`(text: String, sql: String, count: Int) throws {
    let statement = try AppStatement(text, for: .rows)
    #expect(statement.sql == sql)
    #expect(statement.valueCount == count)
  }

  @Test(arguments: [
    "COMMIT", "commit;", "-- now\nROLLBACK", "/* now */ SET search_path = a", "CREATE TABLE a (b int)", "", "'SELECT'",
    "SELECT * FROM euripus_sessions", "DELETE FROM Euripus_Clients", "SELECT * FROM public.\"euripus_nodes\"",
    "EXPLAIN SELECT 1", "LISTEN a",
  ])
  func `reads and writes rows of the app's tables, and nothing else`(text: String) {
    let failure = #expect(throws: DatabaseFailure.self) { try AppStatement(text, for: .rows) }
    #expect(failure?.kind == .statement)
    #expect(failure?.description.contains("not authorized") == true)
  }

  @Test(arguments: ["BEGIN", "commit", "SET a = 1", "COPY a FROM STDIN", "DROP TABLE euripus_sessions"])
  func `may make tables, and leaves transactions and the server's tables alone`(text: String) {
    #expect(throws: DatabaseFailure.self) { try AppStatement(text, for: .tables) }
  }

  @Test(arguments: ["CREATE TABLE a (b int)", "INSERT INTO a VALUES (1)", "CREATE FUNCTION f() AS $$ BEGIN END $$"])
  func `may make tables and fill them`(text: String) throws {
    #expect(try AppStatement(text, for: .tables).sql == text)
  }
}
