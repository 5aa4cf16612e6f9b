// SPDX-License-Identifier: MIT

/// Values of objects that have no place for them, beside the objects.
///
/// Those of an object that has gone are let go of by and by: there are at most twice as many as of living ones, and
/// ``minimumSweep``.
package final class OwnerTable<Value> {
  private struct Row {
    weak var owner: AnyObject?
    var value: Value
  }

  private var rows: [ObjectIdentifier: Row] = [:]
  private var sweepAt = minimumSweep
  private let initial: () -> Value

  /// - Parameter initial: the value of an object that has none yet.
  init(_ initial: @escaping () -> Value) { self.initial = initial }

  /// The value of an object, if it has one.
  package func value(of owner: AnyObject) -> Value? {
    let row = rows[ObjectIdentifier(owner)]
    // The row under the object's address may be that of one before it.
    return row?.owner === owner ? row?.value : nil
  }

  /// Changes the value of an object. O(1), spread over the calls.
  package func change<Result>(of owner: AnyObject, _ body: (inout Value) -> Result) -> Result {
    // Let go of last, as an object that goes may run a deinit of user code.
    var gone: [Row] = []
    defer { withExtendedLifetime(gone) {} }
    let key = ObjectIdentifier(owner)
    if rows[key]?.owner !== owner {
      if rows.count >= sweepAt {
        gone = rows.values.filter { $0.owner == nil }
        rows = rows.filter { $0.value.owner != nil }
        sweepAt = max(minimumSweep, 2 * rows.count)
      }
      if let former = rows.updateValue(Row(owner: owner, value: initial()), forKey: key) { gone.append(former) }
    }
    return body(&rows[key, default: Row(owner: owner, value: initial())].value)
  }

  func removeAll() {
    let gone = rows
    rows = [:]
    withExtendedLifetime(gone) {}
  }
}

/// A table is swept no sooner than it has so many rows.
private let minimumSweep = 16
