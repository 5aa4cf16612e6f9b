// SPDX-License-Identifier: MIT

/// Values beside their owners, which are objects without a property for them.
///
/// The values of owners that have gone are released by and by: the table has at most twice as many rows as
/// there are living owners, and ``minimumSweep``.
package final class OwnerTable<Value> {
  /// A reference that is copied as quickly as any other. To copy a weak one takes a lookup.
  private final class Owner {
    weak var object: AnyObject?
    init(_ object: AnyObject) { self.object = object }
  }

  private struct Row {
    private let reference: Owner
    var value: Value

    init(owner: AnyObject, value: Value) { (reference, self.value) = (Owner(owner), value) }

    var owner: AnyObject? { reference.object }
  }

  private var rows: [ObjectIdentifier: Row] = [:]
  private var sweepAt = minimumSweep
  private let initial: () -> Value

  /// - Parameter initial: makes the value of an owner that has none yet.
  init(_ initial: @escaping () -> Value) { self.initial = initial }

  /// The value of an owner; `nil` if it has none.
  package func value(of owner: AnyObject) -> Value? {
    let row = rows[ObjectIdentifier(owner)]
    // The row under the owner's address may belong to an earlier object.
    return row?.owner === owner ? row?.value : nil
  }

  /// Changes the value of an owner. O(1), spread over the calls.
  package func change<Result>(of owner: AnyObject, _ body: (inout Value) -> Result) -> Result {
    // They are released last, as their deinit may run user code.
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

/// The number of rows from which on a table is swept.
private let minimumSweep = 16
