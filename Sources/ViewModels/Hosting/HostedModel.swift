// SPDX-License-Identifier: MIT
public import JSONPatching
public import ObservableCore

/// One living view model behind its surface, its type erased: the state as JSON with its revisions, and all
/// changes that a client may make, by path.
///
/// A path is the tokens of a JSON Pointer, unescaped. Each call that writes is one transaction, and one that
/// throws has changed nothing. It is not `Sendable`: its session lets in one thread at a time (PROTOCOL §1).
public protocol HostedModel: AnyObject {
  /// The view model itself.
  var viewModel: any ViewModel { get }

  /// The context of its session; `nil` for a view model that is made without one.
  var context: SessionContext? { get }

  /// The way of its actions to the database; `nil` for one that has none.
  var database: (any DatabaseSource)? { get set }

  /// The bytes of the state's JSON, as of the last stamp.
  var stateLength: Int { get }

  /// The estimated bytes of memory that it takes, by the number of its nodes and the length of its texts: of the
  /// state, or what was last stored if that is longer, of the secrets, and of the session's parameters. O(1).
  var memoryBytes: Int { get }

  /// The most bytes of the state and its secrets after a call. A call that would make it longer is refused and undone. Writes
  /// of a command after a suspension are not refused.
  var stateLimit: Int { get set }

  /// Gives the view model the actor on which its commands run. `didChange` announces the writes of commands
  /// after a suspension, which happen outside every call of this protocol.
  ///
  /// - Parameters:
  ///   - runWatcher: told of every run of a command; not kept alive.
  ///   - didChange: called once when a part of the state has changed after the last `stamp`; it must not read.
  ///     These calls do not call it for their own changes: their callers look at the end of each whether the
  ///     state has changed.
  func live(in isolation: any Actor, runWatcher: any CommandRunWatcher, didChange: @escaping () -> Void)

  /// Runs code of the view model: the nodes that it makes belong to the view model's graph.
  func enter(_ body: () -> Void)

  /// Makes the changes since the last call changes of this revision.
  ///
  /// - Returns: whether the state has changed.
  func stamp(_ revision: UInt64) -> Bool

  /// Writes the whole state as one object, as of the last stamp.
  func writeState(to writer: inout JSONWriter)

  /// Writes the value at a path of the state.
  ///
  /// - Returns: whether there is a value that may be read; if not, nothing was written.
  func writeValue(at path: [String], to writer: inout JSONWriter) -> Bool

  /// The revision that last changed the value at a path of the state; `nil` if there is no value that the state shows.
  func lastChange(at path: [String]) -> UInt64?

  /// Writes the last result of the command at a path.
  ///
  /// - Returns: whether there is a command; if not, nothing was written.
  func writeResult(at path: [String], to writer: inout JSONWriter) -> Bool

  /// Writes the operations (RFC 6902) that take a state of revision `since` to the present one, as elements of an open
  /// array.
  func writePatch(since: UInt64, to writer: inout JSONWriter)

  /// The address of the view model's page as it is now; `nil` for one that has none.
  var address: String? { get }

  /// The effect on a browser's history of the changes of the address since a revision; `nil` where nothing of
  /// the address has changed.
  func addressChange(since: UInt64) -> AddressHistory?

  /// Writes the values from which the others are computed, as they are now, as one JSON object. No secret is
  /// among them.
  ///
  /// The view model that ``HostedModelType/restore(_:schema:for:)`` makes of it shows the same state, but for
  /// secrets and for commands that are executing. Do not call it within a transaction.
  func writeStored(to writer: inout JSONWriter)

  /// Does the same with long lists in parts: it writes the object without them, and says which parts have
  /// changed. They are compared with the last call, or with ``noteStored(_:)``. If all rows are made, and have
  /// values of observables only, the cost grows with the changes alone.
  ///
  /// Do not call it within a transaction.
  ///
  /// - Parameter isWhole: whether all parts are wanted, which costs as much as all lists.
  func writeStoredMain(isWhole: Bool, to writer: inout JSONWriter) -> PartsChange

  /// The number of its parts, as of the last ``writeStoredMain(isWhole:to:)``.
  var storedPartCount: Int { get }

  /// The bytes of the JSON of these parts.
  var storedPartBytes: Int { get }

  /// Says which parts are stored, by their names. Call it once, for a view model that was made from them.
  func noteStored(_ parts: [[UInt8]: [UInt8]])

  /// Does to the view model what a restart would do: it empties its secrets, and lets commands that are
  /// executing fail with ``CommandInterrupted``. Then it shows the same as a view model made from its stored
  /// state.
  ///
  /// - Throws: ``ViewModelFailure``.
  func interrupt() throws

  /// Makes changes as one transaction, all or none, one after the other: each sees the settled values of those
  /// before it. Commands that several changes start execute at once, and begin when all changes have passed.
  ///
  /// - Parameters:
  ///   - client: the client that asks for them; `nil` for the one that has the session.
  ///   - willDo: told of the index of each change before it is made.
  /// - Throws: ``ChangesRefused``; ``SurfaceError/stateTooLong(length:limit:)`` for all changes together;
  ///   ``ViewModelFailure`` for an error of the view model.
  /// - Returns: by index, the JSON of the results of actions that have one of their own.
  @discardableResult
  func apply(_ changes: [Change], by client: String?, _ willDo: (Int) -> Void) throws -> [Int: [UInt8]]

  /// Runs the code for a timer of the ``context``. In the same transaction the timer is done, or set to its
  /// next time.
  ///
  /// - Throws: ``SurfaceError/stateTooLong(length:limit:)``, or ``ViewModelFailure`` for an error of the view
  ///   model. The timer is done all the same; nothing else has changed.
  func runTimer(_ timer: SessionTimer) throws

  /// Finds changes that can only be refused, without making any.
  ///
  /// - Parameters:
  ///   - changes: the changes; `nil` for one that is known to be bad.
  ///   - client: the client that asks for them; `nil` for the one that has the session.
  func faults(of changes: [Change?], by client: String?) -> [(index: Int, error: SurfaceError)]

  /// Drops every closure of the view model, whichever cycles it made.
  func close()
}

extension HostedModel {
  /// Makes changes of the client that has the session.
  @discardableResult
  package func apply(_ changes: [Change], _ willDo: (Int) -> Void) throws -> [Int: [UInt8]] {
    try apply(changes, by: nil, willDo)
  }

  /// Finds changes of the client that has the session that can only be refused.
  package func faults(of changes: [Change?]) -> [(index: Int, error: SurfaceError)] { faults(of: changes, by: nil) }

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
