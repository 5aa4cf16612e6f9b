// SPDX-License-Identifier: MIT
import ObservableCore

/// A change that fits the surface: the work itself, to be done in a transaction while its condition holds.
struct PreparedChange {
  var condition: ObservableValue<Bool>?
  /// - Throws: an error of the view model, or `CommandRefused`.
  let perform: () throws -> Void
}

/// A refusal by a command of the surface. Not the error itself, which a view model may have thrown.
struct CommandRefused: Error {
  let error: SurfaceError
}
