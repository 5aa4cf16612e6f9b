// SPDX-License-Identifier: MIT
import Glibc

/// Which of several cells a thread counts in: threads that count in one and the same would wait for each other's caches.
package enum Stripe {
  /// How many there are; a power of two.
  package static let count = 4

  /// That of the thread which asks; others may have it as well. Threads that are started one after the other most often have
  /// their memory side by side, an odd number of pages apart, and so each another one.
  package static var own: Int { Int(truncatingIfNeeded: pthread_self() >> 12) & (count - 1) }
}
