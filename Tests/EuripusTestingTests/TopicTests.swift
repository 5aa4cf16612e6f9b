// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Locking
import Testing

/// A service whose answers the test gives.
private final class Desk: Sendable {
  let answers = Gate<String>()
  /// The readings that are under way, and the most that ever were at once.
  let readings = Locked((now: 0, most: 0))

  func title() async throws -> String {
    readings.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
    defer { readings.withLock { $0.now -= 1 } }
    return try await answers.pass()
  }
}

/// A page on a ticket, which follows the ticket's topic.
private final class TicketPage: ViewModel {
  struct Refused: Error {}

  @Observed var title = ""
  @Observed var reads: [Bool] = []
  private let context: SessionContext
  private let desk: Desk
  private var reading: TopicFollowing?
  lazy var failure = Computed(self) { try $0.reading?.failure.get().map { "\($0)" } ?? "" }
  lazy var isReading = Computed(self) { try $0.reading?.isReading.get() ?? false }

  init(_ desk: Desk, _ context: SessionContext) {
    (self.desk, self.context) = (desk, context)
    reading = context.follow("tickets/7", by: self) { me, news in
      let title = try await desk.title()
      let page = try me()
      page.title = title
      page.reads.append(news.isOwn)
    }
  }

  func tell() { context.tell("tickets/7") }
  func tellAndFail() throws {
    tell()
    throw Refused()
  }
  func retry() { reading?.readAgain() }
  func leave() { reading = nil }

  static let surface = Surface<TicketPage>(
    "ticket-page", .value("title", \.$title), .value("reads", \.$reads), .value("failure", \.failure),
    .value("isReading", \.isReading), .action("tell", TicketPage.tell), .action("tellAndFail", TicketPage.tellAndFail),
    .action("retry", TicketPage.retry), .action("leave", TicketPage.leave))
}

/// A view model that follows a topic.
@Suite(.timeLimit(.minutes(30))) struct `A topic` {
  private let desk: Desk
  private let page: ModelDriver

  init() async throws {
    let desk = Desk()
    self.desk = desk
    page = try ModelDriver { TicketPage(desk, $0) }
    desk.answers.open(with: "first")
    await page.wait { $0["reads"] == [false] }
  }

  @Test func `has its reading go on through a restart, which begins it anew, and is no failure`() async throws {
    try page.perform("retry")
    await page.wait { $0["isReading"] == true }
    try page.interrupt()
    #expect(page["failure"] == "" && page["isReading"] == true)
    desk.answers.open(with: "second")
    await page.wait { $0["title"] == "second" }
  }

  @Test func `is read at the beginning, and each time that it is told`() async {
    #expect(page["title"] == "first")
    page.tell("tickets/7")
    desk.answers.open(with: "second")
    await page.wait { $0["title"] == "second" }
    page.tell("tickets/8")
    page.tell("tickets/7")
    desk.answers.open(with: "third")
    await page.wait { $0["reads"] == [false, false, false] }
    #expect(page["title"] == "third")
  }

  @Test func `is read once more, and never twice at once, however often it is told meanwhile`() async {
    page.tell("tickets/7")
    await page.wait { $0["isReading"] == true }
    for _ in 0..<100 { page.tell("tickets/7") }
    desk.answers.open(with: "second")
    desk.answers.open(with: "third")
    await page.wait { $0["title"] == "third" && $0["isReading"] == false }
    #expect(desk.readings.withLock { $0.most } == 1)
    #expect(page["reads"] == [false, false, false])
  }

  @Test func `says whether the session told it itself`() async throws {
    try page.perform("tell")
    desk.answers.open(with: "second")
    await page.wait { $0["reads"] == [false, true] }
    page.tell("tickets/7")
    desk.answers.open(with: "third")
    await page.wait { $0["reads"] == [false, true, false] }
  }

  @Test func `is told by no action that is undone`() async throws {
    #expect(throws: ViewModelFailure.self) { try page.perform("tellAndFail") }
    page.tell("tickets/7")
    desk.answers.open(with: "second")
    // Told by the other alone, it is no news of its own; and it is read once.
    await page.wait { $0["reads"] == [false, false] }
    #expect(page["isReading"] == false)
  }

  @Test func `is followed on after a failed reading, and read again when it is told or wanted`() async throws {
    page.tell("tickets/7")
    desk.answers.open(throwing: TicketPage.Refused())
    await page.wait { $0["failure"] == "Refused()" }
    try page.perform("retry")
    desk.answers.open(with: "second")
    await page.wait { $0["title"] == "second" && $0["failure"] == "" }
  }

  @Test func `is not followed any more when nothing keeps the following`() async throws {
    page.tell("tickets/7")
    await page.wait { $0["isReading"] == true }
    try page.perform("leave")
    // The reading was cancelled, and with it the wait for its answer.
    desk.answers.open(with: "second")
    page.tell("tickets/7")
    await page.settled()
    #expect(page["title"] == "first")
    #expect(desk.answers.waiting == 0)
  }
}
