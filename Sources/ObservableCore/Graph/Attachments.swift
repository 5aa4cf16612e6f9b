// SPDX-License-Identifier: MIT

/// Objects that a graph keeps for owners which have no place for them: the commands behind methods, and what is derived and
/// observed.
///
/// Those of an owner that has gone are let go of by and by: there are at most twice as many as of living ones, and
/// ``minimumSweep``.
package final class Attachments {
  private static let minimumSweep = 16

  private struct Place {
    weak var owner: AnyObject?
    var objects: [String: AnyObject] = [:]
    /// How many lists have the owner as a row.
    var holders = 0
    /// The derived values, with the subscriptions of the owner's observers to it.
    var derived: [(node: Node, subscription: Subscription)] = []
    var sweepDerivedAt = minimumSweep
  }

  private var places: [ObjectIdentifier: Place] = [:]
  private var sweepAt = minimumSweep

  /// The object of an owner under a name, made if there is none. O(1), spread over the calls.
  package func object<Object: AnyObject>(_ name: String, of owner: AnyObject, make: () -> Object) -> Object {
    if let object = places[ObjectIdentifier(owner)]?.objects[name] as? Object, isPlace(of: owner) { return object }
    // It may make others.
    let object = make()
    withPlace(of: owner) { $0.objects[name] = object }
    return object
  }

  /// Counts in or out one that holds the owner; gives how many there are.
  package func countHolder(of owner: AnyObject, by number: Int) -> Int {
    withPlace(of: owner) { place in
      place.holders += number
      return place.holders
    }
  }

  /// Keeps a derived value for as long as the subscription to it lasts and the owner of its observer lives.
  func keep(_ node: Node, for subscription: Subscription, of owner: AnyObject) {
    if subscription.isDisposed { return }
    var ended: [(Node, Subscription)] = []
    withPlace(of: owner) { place in
      if place.derived.count >= place.sweepDerivedAt {
        ended = place.derived
        place.derived.removeAll { $0.subscription.isDisposed }
        place.sweepDerivedAt = max(Self.minimumSweep, 2 * place.derived.count)
      }
      place.derived.append((node, subscription))
    }
    // Last, as a node that goes may run a deinit of user code.
    withExtendedLifetime(ended) {}
  }

  func removeAll() {
    let gone = places
    places = [:]
    withExtendedLifetime(gone) {}
  }

  /// Whether the place under the owner's address is its own, and not that of one before it.
  private func isPlace(of owner: AnyObject) -> Bool { places[ObjectIdentifier(owner)]?.owner === owner }

  private func withPlace<Result>(of owner: AnyObject, _ body: (inout Place) -> Result) -> Result {
    // Let go of last, as what goes may run a deinit of user code.
    var gone: [Place] = []
    defer { withExtendedLifetime(gone) {} }
    if !isPlace(of: owner) {
      if places.count >= sweepAt {
        gone = places.values.filter { $0.owner == nil }
        places = places.filter { $0.value.owner != nil }
        sweepAt = max(Self.minimumSweep, 2 * places.count)
      }
      if let former = places.updateValue(Place(owner: owner), forKey: ObjectIdentifier(owner)) { gone.append(former) }
    }
    return body(&places[ObjectIdentifier(owner), default: Place(owner: owner)])
  }
}
