// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

@Suite struct `A decorated type` {
  final class Empty: ViewModel {
    static let surface = Surface<Empty>("empty")
  }

  @Test func `is told of each session, and whether that is restored, around what the maker makes`() throws {
    let told = Locked<[String]>([])
    let type = HostedModelType.hosting(durability: .relaxed) { () -> Empty in
      told.withLock { $0.append("made") }
      return Empty()
    }
    .decorated { session, isRestored, make in
      told.withLock { $0.append("\(session.id) \(isRestored)") }
      defer { told.withLock { $0.append("over") } }
      return try make()
    }
    _ = try type.make(for: "one")
    _ = try type.restore([:], schema: 1, for: "two")
    #expect(told.withLock { $0 } == ["one false", "made", "over", "two true", "made", "over"])
    #expect(type.name == "empty")
    #expect(type.durability == .relaxed)
  }

  @Test func `may refuse to make`() {
    struct Refused: Error {}
    let type = HostedModelType.hosting { Empty() }.decorated { _, _, _ in throw Refused() }
    #expect(throws: Refused.self) { try type.make(for: "one") }
  }
}
