// SPDX-License-Identifier: MIT
import CPostgreSQL
import Glibc

/// One connection to a PostgreSQL server. Only this file of the sources has libpq's pointers.
///
/// It sends statements in one burst and waits for their answers together, in libpq's pipeline mode
/// (https://www.postgresql.org/docs/15/libpq-pipeline-mode.html). One thread at a time uses it.
final class PostgreSQLConnection {
  enum Value {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    /// A value of any type, in the text form of that type.
    case plain(String)
  }

  /// A statement that the server compiles once for a connection.
  struct Statement: Hashable {
    let name: String
    let sql: String
  }

  typealias Step = (statement: Statement, values: [Value])

  private let handle: OpaquePointer
  private let notices: UnsafeMutablePointer<Bool>

  // MARK: Connecting

  /// Connects. That may take `connect_timeout` for each host.
  ///
  /// - Parameters:
  ///   - address: a URL, or libpq's keywords.
  ///   - defaults: the values of keywords that the address does not have.
  init(_ address: String, defaults: [String: String]) throws(PostgreSQLFailure) {
    // The last value of a keyword counts. So the address comes after the defaults, and libpq expands it into
    // keywords.
    let pairs = defaults.map { ($0.key, $0.value) } + [("dbname", address)]
    let names = CStrings(pairs.map(\.0))
    let values = CStrings(pairs.map(\.1))
    guard let handle = PQconnectdbParams(names.pointers, values.pointers, 1) else { throw .connection("no memory") }
    self.handle = handle
    notices = .allocate(capacity: 1)
    notices.initialize(to: false)
    guard PQstatus(handle) == CONNECTION_OK else {
      throw .connection(String(cString: PQerrorMessage(handle)))
    }
    PQsetNoticeReceiver(handle, Self.notice, notices)
    guard PQenterPipelineMode(handle) == 1, PQsetnonblocking(handle, 1) == 0 else { throw lost() }
  }

  deinit {
    PQfinish(handle)
    notices.deallocate()
  }

  /// The parts of an address, by libpq's keywords, without a password.
  ///
  /// - Returns: `nil` for an address that libpq cannot read.
  static func parts(of address: String) -> [String: String]? {
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(address, &message) else {
      PQfreemem(message)
      return nil
    }
    defer { PQconninfoFree(options) }
    var parts: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      let name = String(cString: keyword)
      if let value = option.pointee.val, !name.contains("password") { parts[name] = String(cString: value) }
      option += 1
    }
    return parts
  }

  /// Has the server compile statements, which ``run(_:)`` can send from then on.
  func compile(_ statements: [Statement]) throws(PostgreSQLFailure) {
    for statement in statements {
      guard PQsendPrepare(handle, statement.name, statement.sql, 0, nil) == 1 else { throw lost() }
    }
    _ = try answers(to: statements.count, until: .now + Self.patience)
  }

  // MARK: Asking

  /// The longest wait for answers: a server that was stopped, or is behind a link that is down, gives none.
  static let patience: Duration = .seconds(10)

  /// Sends steps in one burst. The server does all or none of them.
  ///
  /// They are one transaction, unless the first step begins one itself.
  ///
  /// - Parameters:
  ///   - areTexts: whether the values of the rows come in the text form of their types.
  ///   - heedsWarnings: whether a warning of the server's is a failure: what it did may not be on its standby.
  /// - Returns: an answer for each step.
  /// - Throws: the first error. After one that ``PostgreSQLFailure/endsConnection`` the connection is of no more
  ///   use.
  func run(
    _ steps: [Step], areTexts: Bool = false, heedsWarnings: Bool = true
  ) throws(PostgreSQLFailure) -> [Answer] {
    for (statement, values) in steps { try send(statement, values, areTexts: areTexts) }
    return try answers(to: steps.count, until: .now + Self.patience, heedsWarnings: heedsWarnings)
  }

  /// Does the same for statements without parameters that are not compiled before.
  @discardableResult
  func execute(_ statements: [String], within patience: Duration = patience) throws(PostgreSQLFailure) -> [Answer] {
    for sql in statements {
      guard PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) == 1 else { throw lost() }
    }
    return try answers(to: statements.count, until: .now + patience)
  }

  private func send(_ statement: Statement, _ values: [Value], areTexts: Bool) throws(PostgreSQLFailure) {
    let parameters = Parameters(values)
    let isSent = PQsendQueryPrepared(
      handle, statement.name, Int32(values.count), parameters.pointers, parameters.lengths, parameters.formats,
      areTexts ? 0 : 1)
    guard isSent == 1 else { throw lost() }
  }

  private func answers(
    to count: Int, until deadline: ContinuousClock.Instant, heedsWarnings: Bool = true
  ) throws(PostgreSQLFailure) -> [Answer] {
    notices.pointee = false
    guard PQpipelineSync(handle) == 1 else { throw lost() }
    var answers: [Answer] = []
    var failure: PostgreSQLFailure?
    for _ in 0..<count {
      // Each step has one result, and then the end of its results.
      while let answer = Answer(try nextResult(until: deadline)) {
        if let error = answer.failure, failure == nil { failure = error }
        answers.append(answer)
      }
    }
    // The server commits behind the last step. Only this answer says that it has.
    let end = Answer(try nextResult(until: deadline))
    if let failure { throw failure }
    guard let end, end.failure == nil else {
      throw .connection("the server did not commit: \(end?.failure?.message ?? "it has not said why")")
    }
    if notices.pointee, heedsWarnings {
      throw PostgreSQLFailure(state: "01000", message: "the server warns that what it did may not be on its standby")
    }
    guard answers.count == count else { throw lost() }
    return answers
  }

  /// The next result of the pipeline; `nil` at the end of a step's.
  private func nextResult(until deadline: ContinuousClock.Instant) throws(PostgreSQLFailure) -> OpaquePointer? {
    while true {
      let isUnsent = PQflush(handle)
      guard isUnsent >= 0 else { throw lost() }
      guard PQisBusy(handle) == 1 else { break }
      try wait(toWrite: isUnsent == 1, until: deadline)
      guard PQconsumeInput(handle) == 1 else { throw lost() }
    }
    let result = PQgetResult(handle)
    if PQstatus(handle) != CONNECTION_OK {
      PQclear(result)
      throw lost()
    }
    return result
  }

  private func wait(toWrite: Bool, until deadline: ContinuousClock.Instant) throws(PostgreSQLFailure) {
    var look = pollfd(fd: PQsocket(handle), events: Int16(POLLIN | (toWrite ? POLLOUT : 0)), revents: 0)
    let left = max(.zero, deadline - .now) / .milliseconds(1)
    guard poll(&look, 1, Int32(left.rounded(.up))) == 0 else { return }
    throw .connection("the server has not answered for \(Self.patience.components.seconds) s")
  }

  /// The texts of notifications that have come with the answers.
  func notifications() -> [String] {
    var texts: [String] = []
    while let notification = PQnotifies(handle) {
      texts.append(String(cString: notification.pointee.extra))
      PQfreemem(notification)
    }
    return texts
  }

  private func lost() -> PostgreSQLFailure { .connection(String(cString: PQerrorMessage(handle))) }

  /// Notes that the server gave up its wait for the standby.
  ///
  /// The server answers without an error then, but the change may be gone after a failover.
  private static let notice: PQnoticeReceiver = { argument, result in
    guard let code = PQresultErrorField(result, ResultField.state), String(cString: code) == "01000" else { return }
    argument?.assumingMemoryBound(to: Bool.self).pointee = true
  }

  // MARK: Answers

  /// The answer to a step.
  final class Answer {
    private let result: OpaquePointer
    let failure: PostgreSQLFailure?

    /// - Parameter result: `nil` gives `nil`.
    fileprivate init?(_ result: OpaquePointer?) {
      guard let result else { return nil }
      self.result = result
      switch PQresultStatus(result) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_PIPELINE_SYNC: failure = nil
      case PGRES_PIPELINE_ABORTED:
        failure = PostgreSQLFailure(state: "25P02", message: "a statement before it failed")
      default:
        let field = { (code: Int32) in PQresultErrorField(result, code).map { String(cString: $0) } }
        failure = PostgreSQLFailure(
          state: field(ResultField.state) ?? "", message: field(ResultField.message) ?? "no message")
      }
    }

    deinit { PQclear(result) }

    /// The number of rows that were written.
    var affected: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    /// Whether the statement only reads.
    var isOfReading: Bool { String(cString: PQcmdStatus(result)).hasPrefix("SELECT") }

    /// The columns of the rows, with the numbers of their types in the server's catalogue (`pg_type.oid`).
    var columns: [(name: String, type: UInt32)] {
      (0..<PQnfields(result)).map { (String(cString: PQfname(result, $0)), PQftype(result, $0)) }
    }

    var rows: [Row] { (0..<PQntuples(result)).map { Row(self, $0) } }

    /// One row. Its columns count from 0.
    struct Row {
      private let answer: Answer
      private let index: Int32

      fileprivate init(_ answer: Answer, _ index: Int32) { (self.answer, self.index) = (answer, index) }

      func isNull(_ column: Int32) -> Bool { PQgetisnull(answer.result, index, column) == 1 }

      func blob(_ column: Int32) -> [UInt8] {
        let start = PQgetvalue(answer.result, index, column)
        return Array(UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(answer.result, index, column))))
      }

      func blobIfAny(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : blob(column) }

      /// A number of 1, 2, 4 or 8 bytes, the highest first.
      func integer(_ column: Int32) -> Int64 {
        let bytes = blob(column)
        let start: Int64 = bytes.first.map { Int8(bitPattern: $0) < 0 ? -1 : 0 } ?? 0
        return bytes.reduce(start) { $0 << 8 | Int64($1) }
      }

      func integerIfAny(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

      func text(_ column: Int32) -> String { String(decoding: blob(column), as: UTF8.self) }
    }
  }
}

/// PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY. Swift does not import them, as C has them as characters.
private enum ResultField {
  static let state = Int32(UInt8(ascii: "C"))
  static let message = Int32(UInt8(ascii: "M"))
}

/// Texts for C, each with its zero at the end, and a null pointer after the last.
private final class CStrings {
  private let texts: [UnsafeMutablePointer<CChar>?]
  let pointers: [UnsafePointer<CChar>?]

  init(_ strings: [String]) {
    texts = strings.map { strdup($0) }
    pointers = texts.map { UnsafePointer($0) } + [nil]
  }

  deinit { for text in texts { free(text) } }
}

/// The values of a step in the form that libpq takes. A number is eight bytes, the highest first.
private final class Parameters {
  private let memory: UnsafeMutableBufferPointer<CChar>
  let pointers: [UnsafePointer<CChar>?]
  let lengths: [Int32]
  let formats: [Int32]

  init(_ values: [PostgreSQLConnection.Value]) {
    let parts = values.map { value -> [UInt8]? in
      switch value {
      case .null: nil
      case .integer(let integer): withUnsafeBytes(of: integer.bigEndian) { Array($0) }
      case .text(let text): Array(text.utf8)
      case .blob(let bytes): bytes
      // libpq reads a text up to its zero.
      case .plain(let text): Array(text.utf8) + [0]
      }
    }
    lengths = parts.map { Int32($0?.count ?? 0) }
    formats = values.map { if case .plain = $0 { 0 } else { 1 } }
    // One byte more than the values need: libpq takes a null pointer for NULL, and an empty value needs an address.
    memory = .allocate(capacity: parts.reduce(1) { $0 + ($1?.count ?? 0) })
    memory.initialize(repeating: 0)
    var pointers: [UnsafePointer<CChar>?] = []
    var offset = 0
    for part in parts {
      guard let part, let start = memory.baseAddress else {
        pointers.append(nil)
        continue
      }
      let target = UnsafeMutableRawBufferPointer(start: start + offset, count: part.count)
      target.copyBytes(from: part)
      pointers.append(UnsafePointer(start + offset))
      offset += part.count
    }
    self.pointers = pointers
  }

  deinit { memory.deallocate() }
}
