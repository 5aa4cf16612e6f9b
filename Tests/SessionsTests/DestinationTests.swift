// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@testable import Sessions

/// A view model that sends its clients to other pages.
private final class Till: ViewModel {
  let context: SessionContext
  @Observed var sales = 0
  private let gate: Gate<Void>

  struct Declined: Error {}

  init(_ context: SessionContext, _ gate: Gate<Void>) { (self.context, self.gate) = (context, gate) }

  nonisolated(nonsending) func pay() async throws {
    try await gate.pass()
    sales += 1
    try context.go(toOtherSite: "https://pay.example/7")
  }

  func go(_ path: String) throws { try context.go(to: path) }

  func decline() throws {
    try context.go(to: "/orders")
    throw Declined()
  }

  static let surface = Surface<Till>(
    "till",
    .value("sales", \.$sales), .command("pay", Till.pay), .action("go", Till.go), .action("decline", Till.decline))
}

@Suite struct `An action that sends its client to another page` {
  let gate = Gate<Void>()
  let host: SessionHost
  let session: Session

  init() throws {
    host = SessionHost.still([.hosting { [gate] in Till($0, gate) }], configuration: .unhurried)
    session = try host.open("till", as: nil).session
  }

  private func perform(_ changes: Change..., isList: Bool = false) throws -> JSON {
    try session.now { try $0.make(changes, isList: isList, as: Requester($0.owner)) }.value
  }

  @Test func `says so in its answer, and in no other`() throws {
    let before = try session.now { $0.version }
    let answer = try perform(.perform(["go"], "/orders/7?new"))
    #expect(answer["location"] == "/orders/7?new")
    #expect(answer["result"] == .null)
    #expect(try session.now { $0.frame(since: before) }.value["location"] == nil)
    #expect(try perform(.perform(["go"], "/orders"))["location"] == "/orders")
    #expect(throws: (any Error).self) { try perform(.perform(["go"], "nowhere")) }
    #expect(try perform(.cancel(["pay"]))["location"] == nil)
  }

  @Test func `sends nobody anywhere if it fails`() throws {
    #expect(throws: ViewModelFailure.self) { try perform(.perform(["decline"], nil)) }
    #expect(try perform(.cancel(["pay"]))["location"] == nil)
  }

  @Test func `sends to the last page of a batch`() throws {
    let answer = try perform(.perform(["go"], "/a"), .perform(["go"], "/b"), isList: true)
    #expect(answer["location"] == "/b")
    #expect(answer["results"] == [.null, .null])
  }

  @Test func `stays in a kept answer whose frame is made anew`() throws {
    let answer = try perform(.perform(["go"], "/orders"))
    var writer = JSONWriter()
    writer.json(answer)
    let kept = ActionResults(of: Message(json: writer.bytes, version: try session.now { $0.version }))
    #expect(kept?.location == "/orders")
  }

  @Test func `sends with the answer that waits for the command's end`() async throws {
    let (answers, answer) = AsyncStream.makeStream(of: JSON.self)
    session.apply(.waiting(for: [.perform(["pay"], nil)])) { outcome in
      guard case .success(.frame(let message)) = outcome, let json = try? message.value else {
        answer.yield(.string("\(outcome)"))
        return
      }
      answer.yield(json)
    }
    gate.open()
    let paid = await answers.first { _ in true }
    #expect(paid?["location"] == "https://pay.example/7")
    #expect(try perform(.cancel(["pay"]))["location"] == nil)
  }

  @Test func `keeps a page for each request, and the last one of each`() throws {
    let (one, other) = (ChangeRequest.waiting(for: []), ChangeRequest.waiting(for: []))
    let addresses = try session.now { session in
      let context = try #require(session.model.context)
      for (request, path) in [(one, "/a"), (other, "/b"), (one, "/c")] {
        context.answering = { request }
        try context.go(to: path)
      }
      return context.takeDestinations().map(\.address)
    }
    #expect(addresses == ["/b", "/c"])
  }

  @Test func `takes paths of this server only, as browsers read them`() throws {
    for path in [
      "", "orders", "//evil.example", "/\\evil.example", "/\t/evil.example", "/a b", "/ä", "https://a.example/",
    ] {
      #expect(throws: ViewModelFailure.self, "\(path)") { try perform(.perform(["go"], .string(path))) }
    }
    #expect(throws: ViewModelFailure.self) {
      try perform(.perform(["go"], .string("/" + String(repeating: "a", count: AddressHome.maxBytes))))
    }
    for path in ["/", "/a%20b", "/a/../b", "/?next=//a", "/#part"] {
      #expect(try perform(.perform(["go"], .string(path)))["location"] == .string(path))
    }
  }
}

@Suite struct `A command that sends its client to another page` {
  @Test func `fails where no request waits for it, and says what to do`() async throws {
    let gate = Gate<Void>()
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    let host = SessionHost([.hosting { Till($0, gate) }], report: { line.yield("\($0)") })
    let session = try host.open("till", as: nil).session
    _ = try session.now { try $0.make([.perform(["pay"], nil)]) }
    gate.open()
    #expect(await lines.first { $0.contains("awaitsCommands: true") } != nil)
  }

  @Test func `takes a web address of another site only`() throws {
    for url in [
      "javascript:alert(1)", "https:/evil", "https:///a", "http://?", "/orders", "ftp://a.example",
      "https://a.example/ä",
    ] {
      let driver = try ModelDriver { Checkout($0, url) }
      #expect(throws: ViewModelFailure.self, "\(url)") { try driver.perform("leave") }
      #expect(driver.destination == nil)
    }
    let driver = try ModelDriver { Checkout($0, "https://pay.example/7?a=b") }
    try driver.perform("leave")
    #expect(driver.destination == "https://pay.example/7?a=b")
  }
}

/// A view model that sends its client to a certain site.
private final class Checkout: ViewModel {
  let context: SessionContext
  let url: String

  init(_ context: SessionContext, _ url: String) { (self.context, self.url) = (context, url) }

  func leave() throws { try context.go(toOtherSite: url) }

  static let surface = Surface<Checkout>("checkout", .action("leave", Checkout.leave))
}
