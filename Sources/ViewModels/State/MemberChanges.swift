// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// The changes of an object's members. It is made at the first change, as most rows of a long list never
/// change.
final class MemberChanges {
  /// The last change of one member.
  struct Member {
    /// The revision that last changed it.
    var changedAt: UInt64 = 0
    /// The bytes of its name, its value and a comma as of the last stamp; 0 while it is absent.
    var length = 0
    /// Whether it has begun to change since the last stamp.
    var hasBegun = false
    /// The JSON of a value that an action has changed. It is kept from its measuring until it is written into a
    /// frame, and is empty for an absent value.
    var text: [UInt8]?
  }

  /// The further changes of a member that may be absent.
  struct Passing {
    let member: Int
    /// Whether the state had it at the last stamp.
    var wasPresent: Bool
    /// The revision that changed it before the last one that did.
    var changedBefore: UInt64 = 0
  }

  var members: [Member]
  var passing: [Passing] = []
  /// The members that began to change since the last stamp.
  var begun: [Int] = []
  /// The watches of values that another state shows too.
  var subscriptions: [Subscription] = []
  /// Whether the lengths of the members are known: none is before the first measuring of a change.
  var areLengthsKnown = false

  init(count: Int) { members = Array(repeating: Member(), count: count) }

  /// Takes note that a member has begun to change.
  func begin(_ member: Int) {
    members[member].text = nil
    if members[member].hasBegun { return }
    members[member].hasBegun = true
    begun.append(member)
  }

  /// Forgets the changes that have begun.
  func forgetBegun() {
    for member in begun {
      members[member].hasBegun = false
      members[member].text = nil
    }
    // Members that began together may have lengths that are known as a sum alone.
    if begun.count > 1 { areLengthsKnown = false }
    begun.removeAll(keepingCapacity: true)
  }

  /// Ends the watches: each keeps its watcher alive.
  func endWatches() {
    for subscription in subscriptions { subscription.dispose() }
    subscriptions = []
  }

  /// Learns the lengths of the members that have not begun to change. The others share the rest of `sum`.
  func learnLengths(sum: Int, _ length: (_ member: Int) -> Int) {
    if areLengthsKnown { return }
    areLengthsKnown = true
    var rest = sum
    for member in members.indices {
      members[member].length = members[member].hasBegun ? 0 : length(member)
      rest -= members[member].length
    }
    if let first = begun.first { members[first].length = rest }
  }
}
