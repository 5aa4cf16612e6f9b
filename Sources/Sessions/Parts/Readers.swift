// SPDX-License-Identifier: MIT
import Storing

/// The readers that wait in one session, the oldest first. A value.
struct Readers {
  private var places: [WaitingPlace] = []

  var isEmpty: Bool { places.isEmpty }
  var count: Int { places.count }
  var waiters: [Waiter] { places.map(\.waiter) }

  mutating func add(_ place: WaitingPlace) { places.append(place) }

  /// Takes out the reader that has waited longest. To be called if there is one.
  mutating func removeOldest() -> WaitingPlace { places.removeFirst() }

  /// Takes out a reader; `nil` if it waits no more.
  mutating func remove(_ waiter: Waiter) -> WaitingPlace? { index(of: waiter).map { places.remove(at: $0) } }

  /// Takes out all readers.
  mutating func removeAll() -> [WaitingPlace] {
    defer { places = [] }
    return places
  }

  /// Takes out the readers of one client.
  ///
  /// - Parameter isStrict: whether those stay that come with the credential of the session's owner, and name no client.
  mutating func removeAll(of client: Credential, isStrict: Bool) -> [WaitingPlace] {
    let isTheirs: (WaitingPlace) -> Bool = { place in
      place.waiter.client.map { $0 == client } ?? !isStrict
    }
    defer { places.removeAll(where: isTheirs) }
    return places.filter(isTheirs)
  }

  /// The place of a reader; `nil` if it waits no more. Its new value is kept for a reader that waits.
  subscript(waiter: Waiter) -> WaitingPlace? {
    get { index(of: waiter).map { places[$0] } }
    set { if let newValue, let index = index(of: waiter) { places[index] = newValue } }
  }

  private func index(of waiter: Waiter) -> Int? { places.firstIndex { $0.waiter === waiter } }
}
