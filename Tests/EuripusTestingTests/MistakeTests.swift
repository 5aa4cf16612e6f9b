// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Foundation
import JSONPatching
import ObservableCore
import Testing
import ViewModels

/// A view model with the mistakes of `Documentation/MISTAKES.md` that show in use.
private final class Slip: ViewModel {
  struct OutOfPaper: Error {}

  let rows = KeyedList<SlipRow>()
  @Observed var note = ""
  @Observed var isOpen = false
  @Observed var length = 0
  lazy var counter = Computed(self) { slip in
    slip.length += 1
    return slip.length
  }
  lazy var chicken: Computed<Int> = Computed(self) { $0.egg.value + 1 }
  lazy var egg: Computed<Int> = Computed(self) { $0.chicken.value + 1 }
  lazy var printing = Command<Void, Void>(self, Slip.wait)

  func add(_ key: String) { rows.append(SlipRow(), key: key) }
  func print() throws { throw OutOfPaper() }
  func send() {}
  func write(_ count: Int) { note = String(repeating: "x", count: count) }
  func count() { note = "\(counter.value)" }
  func hatch() { note = "\(chicken.value)" }
  func wait() async throws { try await Task.sleep(for: .seconds(3_600)) }

  static let surface = Surface<Slip>(
    "slip", .list("rows", \.rows), .value("note", \.$note), .twoWay("isOpen", \.$isOpen),
    .action("add", Slip.add), .action("print", Slip.print), .action("send", Slip.send, when: \.$isOpen),
    .action("write", Slip.write), .action("count", Slip.count), .action("hatch", Slip.hatch),
    .command("printing", \.printing))
}

private final class SlipRow: ViewModel {
  @Observed var text = ""
  nonisolated(nonsending) func save() async {}

  static let surface = Surface<SlipRow>("row", .value("text", \.$text), .command("save", SlipRow.save))
}

private final class Twice: ViewModel {
  @Observed var text = ""

  static let surface = Surface<Twice>("twice", .value("text", \.$text), .twoWay("text", \.$text))
}

private final class Misnamed: ViewModel {
  func move(_ card: String, _ index: Int) {}

  static let surface = Surface<Misnamed>("misnamed", .action("move", Misnamed.move, takes: "card", "index", "column"))
}

private final class Windowed: ViewModel {
  let rows = KeyedList<SlipRow>()

  static let surface = Surface<Windowed>("windowed", .list("rows", \.rows, hasWindow: true))
}

private final class Unordered: ViewModel {
  @Observed var text = ""

  static let surface = Surface<Unordered>("unordered", .value("text", \.$text).orderNotStored())
}

/// A view model that follows numbers, and takes none.
private final class Deaf: ViewModel {
  private let heard = Observer<Int>()
  private let following: Following
  lazy var problem = Computed(self) { deaf in deaf.following.error.value.map { "\($0)" } ?? "" }

  init() {
    following = heard.follow(AsyncStream<Int> { $0.yield(1) }, name: "numbers")
    heard.handle { _ in throw Slip.OutOfPaper() }
  }

  static let surface = Surface<Deaf>("deaf", .value("problem", \.problem))
}

/// The mistakes of `Documentation/MISTAKES.md` that no compiler sees. Each sentence of the page stands here too.
@Suite(.timeLimit(.minutes(30))) struct `A mistake` {
  private func answer(_ action: String, _ body: String? = nil) throws -> (TestClient.Response, log: [String]) {
    let server = try TestServer([.hosting { Slip() }]) { $0.sessions.maxStateBytes = 1_000 }
    let client = try server.client()
    let url = try client.open("slip")
    return (try client.request("POST", "\(url)/actions/\(action)", body), server.log)
  }

  @Test func `by a client is answered with the names that there are`() throws {
    for (action, body, status, text) in [
      (
        "prnt", nil, 422,
        "no action 'prnt' on slip; expected one of: add, count, hatch, print, printing, rows/…, send, write"
      ),
      ("write", "\"one\"", 422, "expected integer, got string"),
      ("send", nil, 409, "'send' is disabled now by the view model"),
      ("write", "5000", 507, "the state would have 5146 bytes; it may have 1000"),
    ] as [(String, String?, Int, String)] {
      let (response, _) = try answer(action, body)
      #expect(response.status == status)
      #expect(response.text.contains(text), "\(response.text)")
    }
  }

  @Test func `in a view model is answered with an id, and the log has the sentence`() throws {
    for (action, text) in [
      ("print", "OutOfPaper"), ("count", "the formula of a computed wrote"),
    ] {
      let (response, log) = try answer(action)
      #expect(response.status == 500)
      #expect(response.text.contains("the view model failed; the server's log has the reason under this id"))
      #expect(log.contains { $0.contains(text) }, "\(log)")
    }
  }

  @Test func `in the handler of a followed sequence is in the log, and can be shown`() async throws {
    let deaf = try ModelDriver { Deaf() }
    await deaf.wait { $0["problem"] == "OutOfPaper()" }
    let line = try #require(deaf.log.first)
    #expect(line.contains("following numbers (EuripusTestingTests/MistakeTests.swift:"), "\(line)")
    #expect(line.contains(") of deaf threw OutOfPaper"), "\(line)")
  }

  private func stopped(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test func `in a surface ends the program at its start, in a line that names its place`() async {
    let place = "EuripusTestingTests/MistakeTests.swift:"
    let twice = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) { _ = Twice.surface }
    #expect(stopped(twice).hasPrefix(place))
    #expect(stopped(twice).count { $0 == "\n" } == 1, "\(stopped(twice))")
    #expect(
      stopped(twice).contains(
        "surface 'twice' declares 'text' twice; expected each name once among what is shown, done or stored: rename one, or take it out"
      ), "\(stopped(twice))")
    let names = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      _ = Misnamed.surface
    }
    #expect(stopped(names).contains(place))
    #expect(
      stopped(names).contains(
        "action 'move': its method takes 2 values, and there are 3 names for them; expected a name for each value: mend 'takes: \"card\", \"index\", \"column\"'"
      ), "\(stopped(names))")
    let window = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try ModelDriver { Windowed() }
    }
    #expect(
      stopped(window).contains(
        "list 'rows': its surface says that it has a window, and it has none; expected both to say the same: write 'hasWindow: true' with 'KeyedList(window: …)', or neither"
      ), "\(stopped(window))")
    let order = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      _ = Unordered.surface
    }
    #expect(stopped(order).hasPrefix(place))
    #expect(
      stopped(order).contains(
        "'text' has '.orderNotStored()'; expected it after a '.list': take it away, or write '.notStored()'"),
      "\(stopped(order))")
  }

  @Test func `in reading a computed that cannot be made ends the program, and names it`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try ModelDriver { Slip() }.perform("hatch")
    }
    #expect(
      stopped(result).contains(
        "in place of a value, and reading 'value' cannot throw; expected a value: read it with 'try get()'"),
      "\(stopped(result))")
  }

  @Test func `in a surface that is first seen in a session ends the program by a signal, as a supervisor wants it`()
    async
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.exitStatus, \.standardErrorContent]) {
      Graph().enter { _ = Twice.surface }
    }
    if case .exitCode(let code)? = result?.exitStatus { Issue.record("expected a signal, got status \(code)") }
    #expect(stopped(result).contains("surface 'twice' declares 'text' twice"))
  }

  @Test func `in naming two view models alike ends the program at its start`() async {
    let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      _ = try TestServer([.hosting { Slip() }, .hosting { Slip() }])
    }
    #expect(
      stopped(result).contains(
        "two view models have the name 'slip'; expected each surface to have a name of its own: rename one"),
      "\(stopped(result))")
  }
}
