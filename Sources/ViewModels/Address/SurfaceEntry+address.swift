// SPDX-License-Identifier: MIT
import ObservableCore

extension SurfaceEntry {
  /// The same entry, which is part of the address of its page: a value as an item of the query, `?tab=all`, and the path of a
  /// ``Coordinator`` as the path below the place where the page is hosted, `/recordings/music/jazz`.
  ///
  /// A value that is as `init` made it is left out. Setting an address sets all that is in it: an item that is missing has its
  /// value go back to that. An address is what a person may type, so a value of ``value(_:_:)``, which the view cannot write,
  /// can be written by the address.
  ///
  /// ```swift
  /// static let surface = Surface<App>(
  ///   "app", .twoWay("tab", \.$tab).inAddress(), .twoWay("order", \.$order).inAddress(.replace),
  ///   .nested("navigation", \.navigation).inAddress())
  /// ```
  ///
  /// - Parameter history: the effect of a change on a browser's history: by default it adds an entry.
  /// - Precondition: it is a value that can be set, whose JSON is a string, a number or a boolean, or `null` as well; or a
  ///   coordinator, of which there is one at most. The surface is that of a view model that is hosted, not of a row or a part
  ///   of one.
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
