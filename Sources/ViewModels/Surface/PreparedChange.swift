// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// A change that fits the surface: the work itself, to be done in a transaction while its condition holds.
struct PreparedChange {
  let condition: (any SurfaceCondition)?
  /// - Returns: the JSON of the action's own result, if it is one that has one.
  /// - Throws: an error of the view model, or `CommandRefused`.
  let perform: () throws -> [UInt8]?
  /// More to be done when all that `perform` has changed has settled.
  var whenSettled: (() throws -> Void)?

  /// One without a result.
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

/// A refusal by a command of the surface. Not the error itself, which a view model may have thrown.
struct CommandRefused: Error {
  let error: SurfaceError
}
