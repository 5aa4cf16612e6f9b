// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

@testable import Sessions

@Suite struct `The limits of a session` {
  private func host(_ clock: ManualClock, _ configure: (inout SessionConfiguration) -> Void) -> SessionHost {
    var configuration = SessionConfiguration()
    configure(&configuration)
    return SessionHost([.hosting { Note() }], configuration: configuration, now: { clock.now })
  }

  @Test func `let 200 changes through at once, and then 100 a second, whatever they do`() throws {
    let clock = ManualClock()
    let session = try host(clock) { _ in }.open("note", as: nil).session
    func change(_ title: String) throws -> Message {
      try session.now { session in
        session.touch(clock.now)
        return try session.assign(["title"], .string(title), since: nil, ifMatch: nil)
      }
    }
    for number in 1...200 { #expect(try change("\(number)").version.revision == UInt64(number + 1)) }
    #expect(throws: SessionError.self) { try change("one too many") }
    // A change that is refused for another reason counts as well. A read does not.
    clock.advance(by: .milliseconds(10))
    #expect(throws: SurfaceError.self) {
      try session.now { session in
        session.touch(clock.now)
        return try session.perform(["nothing"], nil, since: nil, ifMatch: nil)
      }
    }
    #expect(throws: SessionError.self) { try change("one too many") }
    #expect(try session.now { try $0.snapshot() }.version.revision == 201)
    clock.advance(by: .seconds(1))
    for number in 1...100 { #expect(try change("second \(number)").version.revision == UInt64(number + 201)) }
    #expect(throws: SessionError.self) { try change("one too many") }
  }

  @Test func `take many at once that are more than the burst for the burst, and say truly when to come back`() throws {
    let clock = ManualClock()
    let session = try host(clock) { $0.actionRate = Rate(1, per: .seconds(1), burst: 3) }.open("note", as: nil).session
    let five = (1...5).map { Change.set(["title"], .string("\($0)")) }
    func send() throws {
      try session.now { session in
        session.touch(clock.now)
        _ = try session.make(five, isList: true, since: nil, ifMatch: nil)
      }
    }
    try send()
    clock.advance(by: .seconds(1))
    let error = #expect(throws: SessionError.self) { try send() }
    guard case .tooManyActions(let wait)? = error else {
      Issue.record("expected too many actions, got \(error.map { "\($0)" } ?? "no error")")
      return
    }
    #expect(wait == .seconds(2))
    clock.advance(by: wait)
    try send()
  }

  @Test func `count many at once that are malformed, before anything is looked for in them`() throws {
    let clock = ManualClock()
    let session = try host(clock) { $0.actionRate = Rate(1, per: .seconds(1), burst: 3) }.open("note", as: nil).session
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
    #expect(try refusal() is SessionError)
    clock.advance(by: .seconds(1))
    #expect((try refusal() as? ChangesRefused)?.refusals.count == 1)
  }
}
