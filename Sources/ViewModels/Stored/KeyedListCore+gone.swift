// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

extension KeyedListCore {
  /// The keys of rows that the making makes and that have left. A row of the making that is neither among these
  /// nor in the order is one that a later program has added. `nil` where it is not known which rows the making
  /// makes.
  var goneForGood: [ExactText]? {
    guard isLate else { return nil }
    // Sorted, so that the stored text is always the same.
    return order.value.gone.filter { entry($0) == nil }.sorted { $0.text < $1.text }
  }
}
