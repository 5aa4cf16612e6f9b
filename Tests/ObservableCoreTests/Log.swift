// SPDX-License-Identifier: MIT
import ObservableCore

/// Remembers the values that it was told.
final class Log<Value> {
  var values: [Value] = []
  private(set) lazy var observer = Observer<Value>(self) { $0.values.append($1) }
}
