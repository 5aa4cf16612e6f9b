// SPDX-License-Identifier: MIT

/// A number that closures share. It costs no exclusivity check, for that would be measured as the framework's.
public final class Counter {
  @exclusivity(unchecked) public final var count = 0

  @inlinable public init() {}
}
