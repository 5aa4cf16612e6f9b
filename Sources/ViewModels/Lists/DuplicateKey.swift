// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// The error of adding a row under the key of another row of the list.
public struct DuplicateKey: Error, CustomStringConvertible {
  /// The list, by its name or the place where it was made.
  public let list: String
  public let key: String

  public var description: String { "\(what); expected \(Self.expected): \(Self.remedy)" }

  var what: String { "\(list): a row was added under the key '\(key)', and the list has a row with that key" }
  static let expected = "a key that no other row has"
  static let remedy = "a row that is to take the place of the other is added with 'put(_:key:)'"
}

extension KeyedListCore {
  /// Looks whether a row may be added under this key. If there is one already, the error is handed on.
  ///
  /// - Returns: whether the key is new. The row may not be added otherwise: the one that is there would leave, and an
  ///   error does not undo that everywhere.
  func expectNew(_ key: ExactText) -> Bool {
    guard entry(key) != nil else { return true }
    let error = DuplicateKey(list: "\(order.origin)", key: key.text)
    if !handOn(error, of: error.list) {
      stopProgram(error.what, expected: DuplicateKey.expected, remedy: DuplicateKey.remedy)
    }
    return false
  }
}

extension KeyedList {
  /// Makes the list show this row under `key`; a row that has the key leaves. O(the rows behind it), O(1) for a
  /// new key at the end.
  ///
  /// - Parameter index: the row's index afterwards, from 0 to the number of the other rows; `nil` for the end.
  public func put(_ row: Row, key: String, at index: Int? = nil) {
    core.insert(entry(ExactText(key), row), at: index)
  }
}
