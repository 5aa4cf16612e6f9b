// SPDX-License-Identifier: MIT
import Dispatch
import Euripus
import EuripusTesting
import Locking
import Testing

/// A view model that blocks its thread in an action, and in a command before its first suspension.
final class Blocking: ViewModel {
  /// The word of view models that block, and the permission to go on.
  struct Hold: Sendable {
    let isIn = DispatchSemaphore(value: 0)
    let mayGo = DispatchSemaphore(value: 0)
    /// The sum of all that was added.
    let added = Locked(0)

    func block() {
      isIn.signal()
      mayGo.wait()
    }
  }

  let count = Observable(0)
  let hold = Observer<Void>()
  let work: Command<Void, Int>
  let add = Observer<Int>()

  init(_ hold: Hold) {
    work = Command(count) { _, _, _ in
      hold.block()
      return 1
    }
    self.hold.handle { _ in hold.block() }
    add.handle(self) { blocking, value in
      blocking.count.value += value
      hold.added.withLock { $0 += value }
    }
  }

  static let surface = Surface<Blocking>(
    "blocking", .value("count", \.count), .action("hold", \.hold), .command("work", \.work), .action("add", \.add))
}

/// A slow view model delays its own session alone (PROTOCOL §9).
@Suite(.timeLimit(.minutes(30))) struct `View models that block` {
  private static let sessions = 32

  @Test(arguments: ["hold", "work"])
  func `over and over, stall no request to another session, no poll, and nothing else`(action: String) throws {
    let hold = Blocking.Hold()
    let server = try TestServer([.hosting { Blocking(hold) }, .hosting { Counter() }]) {
      $0.listener.loops = 2
      $0.stopTime()
    }
    // Each client has a credential of its own.
    let blocking = try (0..<Self.sessions).map { _ in
      let client = try server.client()
      return (client, url: try client.open("blocking"))
    }
    // There are more clients than loops, so that each loop has some.
    let others = try (0..<8).map { _ in
      let client = try server.client()
      return (client, url: try client.open("counter"))
    }
    for round in 1...3 {
      for (client, url) in blocking { try client.send("POST", "\(url)/actions/\(action)") }
      for _ in blocking { hold.isIn.wait() }
      // All these view models block now, until `mayGo` is signalled.
      for (client, url) in others {
        let reader = try server.poll(url, of: client)
        #expect(try client.request("POST", "\(url)/actions/add", "1").status == 200)
        #expect(try reader.receive().status == 200)
        #expect(try client.request("GET", "/models").status == 200)
        #expect(try client.request("GET", "/healthz").status == 200)
        // Opening another session of the same view model, and an action that does not block, are quick too.
        let late = try server.client()
        #expect(try late.request("POST", "\(late.open("blocking"))/actions/add", "\(round)").status == 200)
      }
      for _ in blocking { hold.mayGo.signal() }
      for (client, _) in blocking { #expect(try client.receive().status == 200) }
    }
  }
}
