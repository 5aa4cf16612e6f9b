// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
import Testing

final class Report: ViewModel {
  typealias Render = nonisolated(nonsending) @Sendable (Int) async throws -> String

  @Observed var year = 2026
  @Observed var pages: [String] = []
  private let render: Render

  init(render: @escaping Render) { self.render = render }

  func make(_ run: CommandRun) async throws -> Int {
    guard year <= 2026 else { throw NoFigures(year: year) }
    pages = []
    for quarter in 1...4 {
      let page = try await render(quarter)
      pages.append(page)
      run.report(Double(quarter) / 4)
    }
    return pages.count
  }

  func didInterrupt(_ command: String) { pages = [] }

  static let surface = Surface<Report>(
    "report",
    .twoWay("year", \.$year),
    .value("pages", \.$pages),
    .command("make", Report.make))
}

struct NoFigures: PresentableError {
  let year: Int
  let type = "no-figures"
  var detail: String { "There are no figures of \(year) yet" }
}

/// The Swift of the guide "Commands", compiled and run.
@Suite(.timeLimit(.minutes(30))) struct `The guide on commands` {
  @Test func `shows a command at work, and its result`() async throws {
    let gate = Gate<String>()
    let render = Scripted<String>("render", .returns("January to March"), .waits(gate), .returns("c"), .returns("d"))
    let report = try ModelDriver { Report { _ in try await render() } }
    try report.perform("make")
    #expect(try report["make"] == Guide("Commands").json()[0])
    #expect(report["pages"] == ["January to March"])
    let error = #expect(throws: SurfaceError.self) { try report.perform("make") }
    #expect(error.map { "\($0)" } == "'make' takes no more now: it is executing, and its policy is to refuse")
    gate.open(with: "b")
    await report.settled()
    #expect(report["make/result"] == 4)
    #expect(report["make/executing"] == false)
    render.expectAllTaken()
  }

  @Test func `shows an error that a person may read, and one that only the log has`() throws {
    let report = try ModelDriver { Report { _ in throw Fire() } }
    try report.perform("make")
    #expect(report["make/error/type"] == "internal")
    #expect(report.log.count == 1)
    try report.set("year", 2030)
    try report.perform("make")
    #expect(try report["make/error"] == Guide("Commands").json()[1])
  }

  @Test func `shows a command that is cancelled`() async throws {
    let gate = Gate<String>()
    let render = Scripted<String>("render", .waits(gate))
    let report = try ModelDriver { Report { _ in try await render() } }
    try report.perform("make")
    try report.cancel("make")
    #expect(report["make/executing"] == false)
    #expect(report["make/error"] == .null)
    gate.open(with: "too late")
    await report.settled()
    #expect(report["pages"] == [])
  }

  @Test func `mends what an interrupted command has left`() throws {
    let gate = Gate<String>()
    let render = Scripted<String>("render", .returns("January to March"), .waits(gate))
    let report = try ModelDriver { Report { _ in try await render() } }
    try report.perform("make")
    try report.interrupt()
    #expect(report["make/error/type"] == "interrupted")
    #expect(report["pages"] == [])
    gate.open(with: "too late")
  }

  private struct Fire: Error {}
}
