// SPDX-License-Identifier: MIT

/// A step that gives back room in a store: which sessions end. A value, without a store.
///
/// A step reads a few sessions of each share, however many there are, since the thread that commits waits for it. Ids
/// are made by chance, so the sessions after any id are a sample. The longest unused of the sample end.
package struct RoomStep: Sendable {
  /// The shares that give back room, each with the bytes that it gives.
  package let surplus: [StoreShare]
  /// Sessions in memory that were in use when they were to end. They are passed over.
  package let passingOver: Set<String>
  /// The most sessions of one share that end, so that all shares together keep to the most.
  private let mostOfShare: Int
  /// The id after which a share's sample begins. It goes on with the share's first id.
  package let start: String

  /// - Parameter most: the number of sessions that end at most; at least one of each share may.
  package init(_ surplus: [StoreShare], most: Int, passingOver: Set<String> = [], after start: String = "") {
    (self.surplus, self.passingOver, self.start) = (surplus, passingOver, start)
    mostOfShare = max(1, most / max(1, surplus.count))
  }

  /// The number of sessions of one share that are read.
  package var sample: Int { 4 * mostOfShare }

  /// The most sessions of a sample that have to be known, beginning with the longest unused.
  package var candidates: Int { min(sample, mostOfShare + passingOver.count) }

  /// The sessions that end so that a share gives back its bytes: the first ones, those in memory last.
  ///
  /// - Parameter sessions: sessions of the share's sample, beginning with the longest unused.
  /// - Returns: the places of those that are in the store alone, and of those that are in memory.
  package func ends(
    of share: StoreShare, among sessions: [(id: String, bytes: Int)], isInMemory: (String) -> Bool
  ) -> (stored: [Int], inMemory: [Int]) {
    var rest = share.bytes
    let candidates = sessions.indices.filter { !passingOver.contains(sessions[$0].id) }.prefix(mostOfShare)
      .map { (index: $0, isInMemory: isInMemory(sessions[$0].id)) }
    func taken(_ isInMemory: Bool) -> [Int] {
      candidates.filter { $0.isInMemory == isInMemory }.map(\.index).filter { index in
        guard rest > 0 else { return false }
        rest -= sessions[index].bytes
        return true
      }
    }
    return (taken(false), taken(true))
  }
}

/// The outcome of a step that gives back room in a store.
package struct RoomMade: Sendable, Equatable {
  /// The number of sessions that the store has forgotten.
  package var forgotten = 0
  /// Sessions that are in memory. Their host ends them.
  package var inMemory: [String] = []

  package init() {}
}
