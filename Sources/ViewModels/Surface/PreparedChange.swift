// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// A change that fits the surface: the work itself, and the condition that has to hold while it is done in a
/// transaction.
struct PreparedChange {
  let condition: (any SurfaceCondition)?
  /// - Returns: the JSON of the action's own result; `nil` for a change without one.
  /// - Throws: an error of the view model, or `CommandRefused`.
  let perform: () throws -> [UInt8]?
  /// Further work, done when all changes of `perform` have settled.
  var whenSettled: (() throws -> Void)?

  /// Prepares a change without a result.
  init(condition: (any SurfaceCondition)? = nil, _ perform: @escaping () throws -> Void) {
    self.condition = condition
    self.perform = {
      try perform()
      return nil
    }
  }

  init<Result: JSONRepresentable>(condition: (any SurfaceCondition)?, giving perform: @escaping () throws -> Result) {
    self.condition = condition
    self.perform = {
      let result = try perform()
      var writer = JSONWriter(capacity: 64)
      result.write(to: &writer)
      return writer.bytes
    }
  }
}

/// The refusal of a change by a command. It wraps the error, which a view model may have thrown itself.
struct CommandRefused: Error {
  let error: SurfaceError
}
