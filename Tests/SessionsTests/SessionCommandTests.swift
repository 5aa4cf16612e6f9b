// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@testable import Sessions

/// A view model whose action lasts until the test lets it through.
final class Fetching: ViewModel {
  static let (arrivals, arrival) = AsyncStream.makeStream(of: String.self)

  let text = Observable("")
  let isFetching = Observable(false)
  let padding = Observable(String(repeating: "long enough that the state is longer than one patch. ", count: 8))
  let fetch = Observer<Void>()
  private lazy var command = Command<Void, Void>(self) { me, _, _ in
    var arrivals = Fetching.arrivals.makeAsyncIterator()
    let text = await arrivals.next(isolation: #isolation) ?? "nothing came"
    try me().text.set(text)
  }

  init() {
    fetch.handle(self) { me, _ in _ = me.command.execute(()) }
    command.executing.addObserver(Observer(self) { $0.isFetching.value = $1 })
  }

  static let surface = Surface<Fetching>(
    "fetching", .value("text", \.text), .value("isFetching", \.isFetching), .value("padding", \.padding),
    .action("fetch", \.fetch))
}

@Suite struct `A session whose view model has a command` {
  @Test(.timeLimit(.minutes(5)))
  func `answers a poll when the command comes back, with all that it wrote in that turn as one revision`() async throws
  {
    let session = try SessionHost([.hosting { Fetching() }]).open("fetching", as: nil).session
    let started = try session.now { try $0.perform(["fetch"], nil, since: nil, ifMatch: nil) }
    #expect(try started.value["patch"] == [["op": "replace", "path": "/isFetching", "value": true]])

    let (answers, answer) = AsyncStream.makeStream(of: PollAnswer.self)
    try session.now { session in
      #expect(session.poll(.poll(since: started.version)) { answer.yield($0) } == nil)
    }
    Fetching.arrival.yield("here")
    var arrived = answers.makeAsyncIterator()
    guard case .changed(let message) = await arrived.next() else {
      Issue.record("expected a frame")
      return
    }
    #expect(message.version.revision == started.version.revision + 1)
    #expect(
      try message.value["patch"] == [
        ["op": "replace", "path": "/text", "value": "here"],
        ["op": "replace", "path": "/isFetching", "value": false],
      ])
  }
}
