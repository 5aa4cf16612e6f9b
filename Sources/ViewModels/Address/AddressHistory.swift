// SPDX-License-Identifier: MIT

/// The use that a change of a value makes of a browser's history, where the value is in the address.
public enum AddressHistory: Sendable {
  /// Adds an entry, so that the back button leads to the value before.
  case push
  /// Takes the place of the present entry.
  case replace
}
