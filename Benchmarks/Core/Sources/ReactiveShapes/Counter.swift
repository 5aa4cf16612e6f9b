// SPDX-License-Identifier: MIT

/// A number that closures share. It costs no exclusivity check, as that would count as a cost of the framework.
public final class Counter {
  @exclusivity(unchecked) public final var count = 0

  @inlinable public init() {}
}
