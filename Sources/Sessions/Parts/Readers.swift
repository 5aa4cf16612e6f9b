// SPDX-License-Identifier: MIT
import Storing

/// The readers that wait in one session, the oldest first. A value.
struct Readers {
  /// The places in the order in which the readers came; `nil` for one that was left, which there is among many alone.
  private var places: [WaitingPlace?] = []
  /// The index of each reader's place, where there are many of them; else empty. One reader is found without it.
  private var indices: [ObjectIdentifier: Int] = [:]
  private(set) var count = 0

  /// The most readers among which one is looked for.
  private static let few = 32

  var isEmpty: Bool { count == 0 }
  var waiters: [Waiter] { places.compactMap { $0?.waiter } }

  mutating func add(_ place: WaitingPlace) {
    places.append(place)
    count += 1
    if !indices.isEmpty {
      indices[ObjectIdentifier(place.waiter)] = places.count - 1
    } else if count > Self.few {
      tidy()
    }
  }

  /// Takes out the reader that has waited longest; `nil` if there is none.
  mutating func removeOldest() -> WaitingPlace? { places.firstIndex { $0 != nil }.flatMap { remove(at: $0) } }

  /// Takes out a reader; `nil` if it waits no more. O(1) as a rule, however many there are.
  mutating func remove(_ waiter: Waiter) -> WaitingPlace? { index(of: waiter).flatMap { remove(at: $0) } }

  /// Takes out all readers.
  mutating func removeAll() -> [WaitingPlace] {
    defer { (places, indices, count) = ([], [:], 0) }
    return places.compactMap(\.self)
  }

  /// Takes out the readers of one client.
  ///
  /// - Parameter isStrict: whether those stay that come with the credential of the session's owner, and name no client.
  mutating func removeAll(of client: Credential, isStrict: Bool) -> [WaitingPlace] {
    let theirs = places.compactMap(\.self).filter { place in place.waiter.client.map { $0 == client } ?? !isStrict }
    return theirs.compactMap { remove($0.waiter) }
  }

  /// The place of a reader; `nil` if it waits no more. Its new value is kept for a reader that waits.
  subscript(waiter: Waiter) -> WaitingPlace? {
    get { index(of: waiter).flatMap { places[$0] } }
    set { if let newValue, let index = index(of: waiter) { places[index] = newValue } }
  }

  private func index(of waiter: Waiter) -> Int? {
    indices.isEmpty ? places.firstIndex { $0?.waiter === waiter } : indices[ObjectIdentifier(waiter)]
  }

  private mutating func remove(at index: Int) -> WaitingPlace? {
    guard let place = places[index] else { return nil }
    count -= 1
    if indices.isEmpty {
      places.remove(at: index)
    } else {
      places[index] = nil
      indices[ObjectIdentifier(place.waiter)] = nil
      if places.count > 2 * count { tidy() }
    }
    return place
  }

  /// Takes out the places that were left, and notes where the others are, if there are many.
  private mutating func tidy() {
    places.removeAll { $0 == nil }
    indices = [:]
    guard count > Self.few else { return }
    for (index, place) in places.enumerated() { if let place { indices[ObjectIdentifier(place.waiter)] = index } }
  }
}
