// SPDX-License-Identifier: MIT
import ObservableCore

extension SurfaceEntry {
  /// The same entry, as part of the address of its page. A value is an item of the query, as in `?tab=all`. The
  /// path of a ``Coordinator`` follows the path of the page, as in `/recordings/music/jazz`.
  ///
  /// A value that is as `init` made it is left out. Setting an address sets all its values: one that the
  /// address lacks goes back to its first value. A person may type an address. So an address can write even a
  /// value of ``value(_:_:)``, which the view cannot write.
  ///
  /// ```swift
  /// static let surface = Surface<App>(
  ///   "app", .twoWay("tab", \.$tab).inAddress(), .twoWay("order", \.$order).inAddress(.replace),
  ///   .nested("navigation", \.navigation).inAddress())
  /// ```
  ///
  /// A ``Field`` of a form cannot be in the address, which would set it without its rules: take a `.twoWay` value.
  ///
  /// - Parameter history: the effect of a change on a browser's history; by default it adds an entry.
  /// - Precondition: it is a value that can be set, whose JSON is a string, a number, a boolean or `null`; or
  ///   it is a coordinator, and the only one. The surface belongs to a view model that is hosted, not to a row
  ///   or a part of one.
  public func inAddress(_ history: AddressHistory = .push, file: StaticString = #fileID, line: UInt = #line) -> Self {
    let name = description?.name ?? stored?.name ?? "an entry"
    let fault =
      switch address {
      case nil: "it is no value and no coordinator"
      case .refused(let fault)?: fault
      case .item?, .path?: nil as String?
      }
    if let fault {
      refuseToStart(
        "'\(name)' has '.inAddress()', and \(fault)",
        expected: "it after a '.value' or '.twoWay' of an observable, or after a '.nested' coordinator",
        remedy: "take it away, or have an '@Observed var' in the address from which the rest is computed",
        file: file, line: line)
    }
    var entry = self
    entry.description?.history = history
    return entry
  }
}
