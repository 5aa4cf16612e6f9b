// SPDX-License-Identifier: MIT
public import JSONPatching
public import ObservableCore

/// One living view model behind its surface, its type erased: the state as JSON with its revisions, and all that a
/// client may do, by path.
///
/// A path is a JSON Pointer's tokens, unescaped (PROTOCOL §1). Each call that writes is one transaction, and one that
/// throws has changed nothing. Not `Sendable`: its session lets in one thread at a time.
public protocol HostedModel: AnyObject {
  /// The context of its session; `nil` for a view model that is made without one.
  var context: SessionContext? { get }

  /// The bytes of the state's JSON, as of the last stamp.
  var stateLength: Int { get }

  /// The bytes of memory that it takes, about, as counted: its nodes and its state's text. O(1).
  var memoryBytes: Int { get }

  /// The most that a call may make of the state: one that would make it longer is refused, and undone. What a command
  /// writes after a suspension is not.
  var stateLimit: Int { get set }

  /// Says where the view model lives: commands run there, and what they write after a suspension, outside every call
  /// of this protocol, is announced by `didChange`.
  ///
  /// - Parameters:
  ///   - runWatcher: told of every run of a command; not kept alive.
  ///   - didChange: called once when a part of the state has changed after the last `stamp`; it must not read. It is not told
  ///     of changes by these calls: their callers look at the end of each whether the state is another one.
  func live(in isolation: any Actor, runWatcher: any CommandRunWatcher, didChange: @escaping () -> Void)

  /// Runs code of the view model's own: the nodes that it makes belong to the view model's graph.
  func enter(_ body: () -> Void)

  /// Makes the changes since the last call changes of this revision.
  ///
  /// - Returns: whether the state is another one.
  func stamp(_ revision: UInt64) -> Bool

  /// Writes the whole state as one object, as of the last stamp.
  func writeState(to writer: inout JSONWriter)

  /// Writes the value at a path of the state.
  ///
  /// - Returns: whether there is one that may be read; if not, nothing was written.
  func writeValue(at path: [String], to writer: inout JSONWriter) -> Bool

  /// Writes the last result of the command at a path.
  ///
  /// - Returns: whether there is a command; if not, nothing was written.
  func writeResult(at path: [String], to writer: inout JSONWriter) -> Bool

  /// Writes the operations (RFC 6902) that take a state of revision `since` to the present one, as elements of an open
  /// array.
  func writePatch(since: UInt64, to writer: inout JSONWriter)

  /// The address of the view model's page as it is now; `nil` for one that has none.
  var address: String? { get }

  /// The history that the changes of the address since a revision make; `nil` where nothing of the address has changed.
  func addressChange(since: UInt64) -> AddressHistory?

  /// Writes the values that the others are computed from, as one JSON object, as they are now; no secret is among them.
  ///
  /// The view model that ``HostedModelType/restore(_:schema:for:)`` makes of it shows the same state, but for secrets and for commands that
  /// are executing. Not to be called within a transaction.
  func writeStored(to writer: inout JSONWriter)

  /// Does the same with long lists in parts: writes the object without them, and says which parts are others than at the last
  /// call, or than ``noteStored(_:)`` has said. It costs what has changed, where the rows have values of observables only.
  ///
  /// Not to be called within a transaction.
  func writeStoredMain(to writer: inout JSONWriter) -> PartsChange

  /// The number of its parts, as of the last ``writeStoredMain(to:)``.
  var storedPartCount: Int { get }

  /// Says which parts are stored, by their names: to be called once, of a view model that was made from them.
  func noteStored(_ parts: [[UInt8]: [UInt8]])

  /// Does the same to the view model as a restart: empties its secrets, and has commands that are executing fail with
  /// ``CommandInterrupted``. Then it shows the same as one that is made again from its stored state.
  ///
  /// - Throws: ``ViewModelFailure``.
  func interrupt() throws

  /// Makes changes as one transaction, all or none, one after the other: each finds what the ones before it have settled
  /// to. Commands that several changes start are executing at once, and begin when all changes have passed.
  ///
  /// - Parameter willDo: told of the index of each change, before it is made.
  /// - Throws: ``ChangesRefused``, or ``SurfaceError/stateTooLong(length:limit:)`` for the whole, or ``ViewModelFailure`` for
  ///   an error of the view model.
  /// - Returns: by index, the JSON of the results of actions that have one of their own.
  @discardableResult
  func apply(_ changes: [Change], _ willDo: (Int) -> Void) throws -> [Int: [UInt8]]

  /// Does what a timer of the ``context`` is for, in one transaction with its being done: it is not due any more, or the next time.
  ///
  /// - Throws: ``SurfaceError/stateTooLong(length:limit:)``, or ``ViewModelFailure`` for what the view model threw. The timer is done
  ///   all the same, and nothing else was changed.
  func runTimer(_ timer: SessionTimer) throws

  /// Looks, without doing anything, for changes that can only be refused.
  ///
  /// - Parameter changes: `nil` for one that is known to be bad.
  func faults(of changes: [Change?]) -> [(index: Int, error: SurfaceError)]

  /// Drops every closure of the view model, whatever cycles it made.
  func close()
}

extension HostedModel {
  /// Makes one change, as one transaction.
  ///
  /// - Throws: ``SurfaceError``, or ``ViewModelFailure`` for an error of the view model.
  @discardableResult
  package func apply(_ change: Change) throws -> [UInt8]? {
    do { return try apply([change]) { _ in }[0] } catch let refused as ChangesRefused {
      throw refused.refusals[0].error
    }
  }
}
