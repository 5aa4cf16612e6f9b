// SPDX-License-Identifier: MIT
public import ArgumentParser
public import Euripus

/// A program that hosts view models. Its executable serves them, and has all commands that an operator needs.
///
/// ```swift
/// @main struct Board: EuripusApp {
///   @Option(help: "The title of the board.") var title = "Board"
///
///   var models: Models {
///     LoginViewModel.init
///     hosting { [title] in BoardViewModel(title: title) }
///   }
/// }
/// ```
///
/// `board` serves until a signal ends it. `board --help` lists its commands, and `board serve --help` its
/// settings. Each setting can also be set in the environment. The app's own options stand beside them, as
/// swift-argument-parser has them; `BOARD_TITLE` in the environment is `--title` of the program `board`.
///
/// The command line makes the app, so its stored properties are options alone, and services: a ``Service`` is made by
/// ``start(_:)``.
///
/// With `--supervise` the program is started twice, and only the second process asks for ``models``. A mistake
/// at the start gives a line on the standard error and a status other than 0 (Documentation/OPERATIONS.md).
public protocol EuripusApp: ParsableArguments, Sendable {
  /// The hosted view models, each with a name of its own. The server asks for them once, before it serves
  /// clients.
  ///
  /// The maker of a view model is a line; one that takes arguments is `hosting { … }`. If this throws an error,
  /// the program ends with the error as its one line.
  @ModelsBuilder var models: Models { get throws }

  /// The app's own routes, beside those of the view models; by default none. The server asks for them once,
  /// before it serves clients (Documentation/ROUTES.md).
  var routes: [AppRoute] { get throws }

  /// Changes the settings before options and variables of the environment do, which count more. By default it
  /// does nothing. It is called more than once.
  ///
  /// Static files are served from `Public` unless this changes it: `configuration.publicDirectory = nil` for none.
  func configure(_ configuration: inout ServerConfiguration)

  /// The kind of database that `--store` may name beside a file, so that several servers share it; by default none.
  ///
  /// It comes with a product of its own, since it links libpq and libcurl: `import EuripusNodes`, and
  /// `static var sharedStore: SharedStore? { .postgreSQL }`.
  static var sharedStore: SharedStore? { get }

  /// The steps that make the app's own tables, in the database that `--store` names; by default none.
  ///
  /// An action writes them with a ``DatabaseTransaction``. They are done when the server starts, or by `store migrate`.
  static var migrations: [Migration] { get }

  /// Makes the app's services, and begins its work in the background. By default it does nothing.
  ///
  /// ```swift
  /// @Service var desk: Desk
  ///
  /// func start(_ server: EuripusServer) async throws {
  ///   desk = try await Desk(server.database)
  ///   server.background("escalation", onlyOnOne: true) { try await desk.escalate() }
  /// }
  /// ```
  ///
  /// It is called once, by `serve` alone, when the session store is open and its tables are made, and before the server
  /// listens. If it throws an error, the program ends with the error as its one line, and the status 1.
  func start(_ server: EuripusServer) async throws

  /// Ends the app's services. By default it does nothing. It is called when the server has stopped after a signal: no session
  /// is at work any more, and the database is closed.
  func stop() async

  /// The purpose of the program, in a sentence for its help.
  static var abstract: String { get }

  /// The line that `--version` prints, by default the version of Euripus: `Euripus 0.1.0`.
  static var version: String { get }
}

extension EuripusApp {
  public var routes: [AppRoute] { [] }

  public func configure(_ configuration: inout ServerConfiguration) {}

  public func start(_ server: EuripusServer) async throws {}

  public func stop() async {}

  public static var sharedStore: SharedStore? { nil }

  public static var migrations: [Migration] { [] }

  public static var abstract: String {
    "Hosts view models for thin clients: a page, curl or an app, over plain HTTP and JSON."
  }

  public static var version: String { "Euripus \(EuripusServer.version)" }
}

/// An app that finds out its users by cookies or tokens of its own.
///
/// ```swift
/// func authenticate(_ request: RequestHead) async throws -> User? {
///   guard let token = request.bearerToken else { return nil }
///   return try await accounts.user(of: token)
/// }
/// ```
public protocol AuthenticatingApp: EuripusApp {
  /// The user of a request; `nil` if nobody has signed in.
  ///
  /// It runs on threads of its own, never on one that serves other requests, and may wait or block. The server uses
  /// its answer for 30 seconds at most, for all requests with the same cookies and token. It is not called for a
  /// request that has neither. If it throws, the request is answered `500`, the log has the error, and the next request
  /// asks again.
  func authenticate(_ request: RequestHead) async throws -> User?
}
