// SPDX-License-Identifier: MIT

/// The logic of one page, or of one row or part of a page: the values that a passive view shows, and the
/// actions that it calls.
///
/// It is a plain class, and not `Sendable`: its session lets in one thread at a time. Objects that it makes in
/// `init` and in its handlers belong to the session's graph, and go with it. It never holds a view, and may
/// hold other view models (S1-12).
///
/// ```swift
/// final class Counter: ViewModel {
///   @Observed var count = 0
///
///   func increment() { count += 1 }
///
///   static let surface = Surface<Counter>(
///     "counter", .value("count", \.$count), .action("increment", Counter.increment))
/// }
/// ```
public protocol ViewModel: AnyObject, SendableMetatype {
  /// The surface, declared once for the type (D5).
  static var surface: Surface<Self> { get }

  /// Called when the stored state of the view model, and of those within it, was put back; none of its
  /// observers was told. By default it does nothing.
  ///
  /// Use it to update things that follow its values outside of the graph, such as the model of a ``Binding``.
  /// If it writes to a stored value, the stored value overwrites that, so counting and echoes do no harm.
  func didRestore()

  /// Called when a command of this view model was at work while the server ended, before any request: its `error`
  /// is ``CommandInterrupted``, it is not started again, and it may have done its work or not. By default it does
  /// nothing.
  ///
  /// Use it to mend the values that the command wrote before it waited, such as a status "sending". What it writes
  /// is a change like any other. It may execute the command again, if doing the work twice does no harm.
  ///
  /// - Parameter command: the command's name in the surface.
  func didInterrupt(_ command: String)
}

extension ViewModel {
  public func didRestore() {}
  public func didInterrupt(_ command: String) {}
}

extension ViewModel {
  /// The description of its surface, on demand.
  static var description: SurfaceDescription.Reference { { surface.description } }

  var hasCommands: Bool { Self.surface.hasCommands }

  func cancelCommands() { Self.surface.cancelCommands(of: self) }

  /// Its state as a part, watched from now on.
  var part: ObjectPart { ObjectPart(Self.surface.shape, Self.surface.members(of: self)) }

  /// Its state as a row, watched from now on.
  func part(of entry: ListEntry, showsKind: Bool) -> RowPart {
    RowPart(entry, Self.surface.shape, showsKind: showsKind, Self.surface.members(of: self))
  }

  /// Prepares a change of it, or of one of its parts.
  func prepare(_ change: Change, _ path: ArraySlice<String>) throws(SurfaceError) -> PreparedChange {
    try Self.surface.prepare(change, path, self)
  }
}
