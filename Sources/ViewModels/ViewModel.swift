// SPDX-License-Identifier: MIT

/// The logic of one page, or of one row or part of a page, with the values and actions that it has for a passive view.
///
/// A plain class, not `Sendable`: its session lets in one thread at a time. What it makes in `init` and in its handlers
/// belongs to the session's graph, and goes with it. It never holds a view, and may hold other view models (S1-12).
///
/// ```swift
/// final class Counter: ViewModel {
///   @Observed var count = 0
///
///   func increment() { count += 1 }
///
///   static let surface = Surface<Counter>("counter", .value("count", \.$count), .action("increment", Counter.increment))
/// }
/// ```
public protocol ViewModel: AnyObject, SendableMetatype {
  /// Declared once for the type (D5).
  static var surface: Surface<Self> { get }

  /// The stored state of it, and of those within it, was put back, and none of its observers was told; does nothing by
  /// default.
  ///
  /// The place to bring in step the things that follow its values outside of the graph, such as the model of a ``Binding``.
  /// A write of this to a stored value is overwritten by that, so counting and echoes do no harm.
  func didRestore()
}

extension ViewModel {
  public func didRestore() {}
}

extension ViewModel {
  /// The description of its surface, on demand.
  static var description: SurfaceDescription.Reference { { surface.description } }

  var hasCommands: Bool { Self.surface.hasCommands }

  func cancelCommands() { Self.surface.cancelCommands(of: self) }

  /// Its state, watched from now on.
  var part: ObjectPart { ObjectPart(Self.surface.shape, Self.surface.members(of: self)) }

  /// Its state as that of a row, watched from now on.
  func part(of entry: ListEntry, showsKind: Bool) -> RowPart {
    RowPart(entry, Self.surface.shape, showsKind: showsKind, Self.surface.members(of: self))
  }

  /// A change of it, or of one of its parts, made ready.
  func prepare(_ change: Change, _ path: ArraySlice<String>) throws(SurfaceError) -> PreparedChange {
    try Self.surface.prepare(change, path, self)
  }
}
