// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

@testable import Sessions

@Suite struct `The limits of a session` {
  private let clock = ManualClock()

  /// A new session, by default with the default limits.
  private func session(_ rate: Rate? = nil) throws -> Session {
    let host = SessionHost(
      [.hosting { Note() }], configuration: .with { if let rate { $0.actionRate = rate } },
      now: { [clock] in clock.now })
    return try host.open("note", as: nil).session
  }

  @Test func `let 200 changes through at once, and then 100 a second, whatever they do`() throws {
    let session = try session()
    func change(_ title: String) throws -> Message {
      try session.now { try $0.assign(["title"], .string(title), since: nil, ifMatch: nil) }
    }
    for number in 1...200 { #expect(try change("\(number)").version.revision == UInt64(number + 1)) }
    #expect(throws: SessionError.self) { try change("one too many") }
    // A change that is refused for another reason counts as well. A read does not.
    clock.advance(by: .milliseconds(10))
    #expect(throws: SurfaceError.self) {
      try session.now { try $0.perform(["nothing"], nil, since: nil, ifMatch: nil) }
    }
    #expect(throws: SessionError.self) { try change("one too many") }
    #expect(try session.now { try $0.snapshot() }.version.revision == 201)
    clock.advance(by: .seconds(1))
    for number in 1...100 { #expect(try change("second \(number)").version.revision == UInt64(number + 201)) }
    #expect(throws: SessionError.self) { try change("one too many") }
  }

  @Test func `count many at once that are malformed, before anything is looked for in them, and say when to come back`()
    throws
  {
    let session = try session(Rate(1, per: .seconds(1), burst: 3))
    func refusal() throws -> (any Error)? {
      let told = Locked<(any Error)?>(nil)
      try session.now { session in
        session.begin(.waiting(for: [.perform(["nothing"], nil), nil])) { answer in
          if case .failure(let error) = answer { told.withLock { $0 = error } }
        }
      }
      return told.withLock { $0 }
    }
    #expect((try refusal() as? ChangesRefused)?.refusals.count == 1)
    #expect(try refusal().map { "\($0)" } == "\(SessionError.tooManyActions(retryAfter: .seconds(1)))")
    clock.advance(by: .seconds(1))
    #expect((try refusal() as? ChangesRefused)?.refusals.count == 1)
  }
}
