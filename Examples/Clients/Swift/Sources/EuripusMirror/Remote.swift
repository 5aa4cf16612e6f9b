// SPDX-License-Identifier: MIT
public import EuripusClient
public import Foundation
public import ObservableCore

/// A view model on a server, with its state as observables: the generated classes stand on it.
///
/// With each answer all observables change in one transaction. It asks for nothing by itself: ``follow()`` asks.
@MainActor public final class Remote<State: Codable & Equatable & Sendable> {
  public let session: RemoteSession
  private let state: Observable<State>

  /// Opens a session.
  public convenience init(opening model: String, at server: URL, params: (any Encodable)? = nil) async throws {
    let params = try params.map { try JSON(encoding: $0) }
    try self.init(await RemoteSession(opening: model, at: server, params: params))
  }

  /// Takes over a session, and sets its `changed`.
  public init(_ session: RemoteSession) throws {
    self.session = session
    state = Observable(try session.state.decoded(as: State.self))
    session.changed = { [weak self] state in self?.state.value = try state.decoded(as: State.self) }
  }

  /// A value of the state. It cannot be written here: the server decides.
  public func value<Value: Equatable>(_ path: KeyPath<State, Value>) -> Computed<Value> {
    Computed { [state] in state.value[keyPath: path] }
  }

  /// Follows the view model until the task is cancelled.
  ///
  /// - Throws: `RemoteProblem` where the session is over, `DecodingError` for a state of other types.
  public func follow() async throws {
    do { while true { try await session.next() } } catch is CancellationError {}
  }

  public func set(_ path: String, _ value: some Encodable) async throws {
    try await session.change("PUT", "/state/\(path)", try JSON(encoding: value))
  }

  @discardableResult
  public func perform(_ path: String, wait seconds: Int = 0) async throws -> JSON {
    try await session.change("POST", "/actions/\(path)", wait: seconds)
  }

  @discardableResult
  public func perform(_ path: String, _ value: some Encodable, wait seconds: Int = 0) async throws -> JSON {
    try await session.change("POST", "/actions/\(path)", try JSON(encoding: value), wait: seconds)
  }

  public func cancel(_ path: String) async throws { try await session.change("DELETE", "/actions/\(path)") }
}

/// The kinds of problems of a view model.
public protocol ProblemKind: RawRepresentable, Sendable where RawValue == String {}

extension ProblemKind {
  /// The kind of an error; `nil` for an error that is no problem, and for a problem of an unknown kind.
  public init?(_ error: any Error) {
    guard let problem = error as? RemoteProblem else { return nil }
    self.init(rawValue: problem.kind)
  }
}
