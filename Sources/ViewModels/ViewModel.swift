// SPDX-License-Identifier: MIT

/// The logic of one page, and what of it a passive view may see and do.
///
/// A plain class, not `Sendable`: its session lets in one thread at a time. What it makes in `init` and in its handlers
/// belongs to the session's graph, and goes with it.
///
/// ```swift
/// final class Counter: ViewModel {
///   let count = Observable(0)
///   let increment = Observer<Void>()
///
///   init() { increment.handle(self) { counter, _ in counter.count.value += 1 } }
///
///   static let surface = Surface<Counter>("counter", .value("count", \.count), .action("increment", \.increment))
/// }
/// ```
public protocol ViewModel: AnyObject, SendableMetatype {
  /// What a new session starts with.
  init() throws

  /// Declared once for the type (D5).
  static var surface: Surface<Self> { get }
}
