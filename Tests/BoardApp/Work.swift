// SPDX-License-Identifier: MIT
import Euripus
import Foundation

/// Another service, which takes each key once. Its directory has a file for each.
struct OtherService: Sendable {
  let directory: String

  /// - Returns: whether the key is new.
  @discardableResult func take(_ key: String) -> Bool {
    let name = key.replacing("/", with: "-")
    let file = open("\(directory)/taken-\(name)", O_CREAT | O_EXCL | O_WRONLY, 0o600)
    if file < 0 { return false }
    close(file)
    return true
  }

  /// Tells the test that the work is here, if there is the pipe `here`. The work then waits for its end: the test kills the
  /// server, and no time that it waits for decides anything.
  func isStopped() -> Bool {
    guard let pipe = FileHandle(forWritingAtPath: "\(directory)/here") else { return false }
    try? pipe.write(contentsOf: Data("here\n".utf8))
    return true
  }
}

/// The four ways to do work that the guide on an app's own database compares.
final class WorkViewModel: ViewModel {
  static let migrations = [
    Migration(
      1, "CREATE TABLE work_rows (text text NOT NULL)",
      "CREATE TABLE work_outbox (id bigint PRIMARY KEY, key text NOT NULL)")
  ]

  @Observed var status = "ready"
  /// The key of the last call.
  @Observed var key = ""
  @Observed var rows = 0
  @Observed var left = 0
  private let service: OtherService
  private let database: AppDatabase
  private let context: SessionContext
  private var reading: TopicFollowing?

  init(_ service: OtherService, _ database: AppDatabase, _ context: SessionContext) {
    (self.service, self.database, self.context) = (service, database, context)
    reading = context.follow("work", by: self, WorkViewModel.read)
  }

  nonisolated(nonsending) func read() async throws {
    (rows, left) = try await database.read {
      (
        try $0.query("SELECT count(*) FROM work_rows", as: Int.self)[0],
        try $0.query("SELECT count(*) FROM work_outbox", as: Int.self)[0]
      )
    }
  }

  func write(_ database: DatabaseTransaction) throws {
    try database.execute("INSERT INTO work_rows VALUES ('of the action')")
    status = "written"
    context.tell("work")
    if service.isStopped() { Thread.sleep(forTimeInterval: 3_600) }
  }

  func call() {
    status = "calling"
    key = context.action?.key ?? ""
    calling.execute(key)
  }

  /// Calls once more, with the key of the last call.
  func callAgain() { calling.execute(key) }

  private(set) lazy var calling = Command<String, Bool>(self, name: "calling") { me, key, _ in
    let service = try me().service
    let isNew = service.take(key)
    if service.isStopped() { try await Task.sleep(for: .seconds(3_600)) }
    try me().status = isNew ? "called" : "called before"
    return isNew
  }

  func post(_ database: DatabaseTransaction) throws {
    try database.execute("INSERT INTO work_outbox VALUES (1, ?)", context.action?.key ?? "")
    context.tell("work")
  }

  /// Does the work of the outbox, for as long as the server lives.
  static func empty(_ database: AppDatabase, _ service: OtherService) async throws {
    while true {
      let keys = try await database.read { try $0.query("SELECT key FROM work_outbox ORDER BY id", as: String.self) }
      for key in keys {
        service.take(key)
        if service.isStopped() { try await Task.sleep(for: .seconds(3_600)) }
        try await database.write(telling: "work") { try $0.execute("DELETE FROM work_outbox WHERE key = ?", key) }
      }
      // As the guide's background work does. The test waits until the row is gone, however long that is.
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  func writeParts() {
    status = "writing"
    writing.execute(())
  }

  private(set) lazy var writing = Command<Void, Void>(self, name: "writing") { me, _, _ in
    let (service, database) = (try me().service, try me().database)
    try await database.write { try $0.execute("INSERT INTO work_rows VALUES ('part 1')") }
    if service.isStopped() { try await Task.sleep(for: .seconds(3_600)) }
    try await database.write { try $0.execute("INSERT INTO work_rows VALUES ('part 2')") }
    try me().status = "written"
  }

  func didInterrupt(_ command: String) { status = "interrupted" }

  static let surface = Surface<WorkViewModel>(
    "work", .value("status", \.$status), .value("key", \.$key), .value("rows", \.$rows), .value("left", \.$left),
    .action("write", WorkViewModel.write), .action("call", WorkViewModel.call),
    .action("callAgain", WorkViewModel.callAgain), .action("post", WorkViewModel.post),
    .action("writeParts", WorkViewModel.writeParts), .command("calling", \.calling), .command("writing", \.writing))
}
