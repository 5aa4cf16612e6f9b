// SPDX-License-Identifier: MIT

/// Runs a closure when it goes.
final class Farewell {
  private let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
  deinit { body() }
}
