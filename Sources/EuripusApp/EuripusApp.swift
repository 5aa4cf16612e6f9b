// SPDX-License-Identifier: MIT
public import ArgumentParser
public import Euripus

/// A program that hosts view models: its executable serves them, and has everything that an operator needs.
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
/// `board` serves until a signal ends it, `board --help` lists its commands, and `board serve --help` its settings, each of which
/// can be set in the environment too (Documentation/OPERATIONS.md). Options of the app's own stand beside them, as
/// swift-argument-parser has them.
///
/// The app is made from the command line, so it has options alone as stored properties: values that its view models share
/// are `static let`s.
///
/// With `--supervise` the program is started twice, and only the second asks for ``models``. A mistake at the start is a line
/// on the standard error and a status other than 0.
public protocol EuripusApp: ParsableArguments, Sendable {
  /// The view models that are hosted, each with a name of its own. Asked for once, before clients are served.
  ///
  /// The maker of a view model is a line; one that takes something is `hosting { … }`. An error that is thrown ends the
  /// program with the error as the one line.
  @ModelsBuilder var models: Models { get throws }

  /// The routes of the app's own, beside those of the view models (Documentation/ROUTES.md); by default none. Asked for once,
  /// before clients are served.
  var routes: [AppRoute] { get throws }

  /// Changes the settings before options and the environment do, which count more; by default nothing. Called more than once.
  ///
  /// Static files are served from `Public` unless this changes it: `configuration.publicDirectory = nil` for none.
  func configure(_ configuration: inout ServerConfiguration)

  /// The purpose of the program, in a sentence for its help.
  static var abstract: String { get }
}

extension EuripusApp {
  public var routes: [AppRoute] { [] }

  public func configure(_ configuration: inout ServerConfiguration) {}

  public static var abstract: String {
    "Hosts view models for thin clients: a page, curl or an app, over plain HTTP and JSON."
  }

  /// Runs the command of the command line, and exits if that is not to serve until a signal.
  public static func main() {
    StandardSettings.take(from: Self.self)
    RootCommand<Self>.main()
  }

  /// The log of the server, with the format and the level that are set.
  public var logger: Logger { AppLog.logger }

  /// A variable of the environment that the program was started with.
  public static func variable(_ name: String) -> String? { ProcessEnvironment.variables[name] }

  /// The directory in which a user's programs keep data that outlive them, and in there the one of this program:
  /// `$XDG_STATE_HOME/board/NAME`, or `~/.local/state/board/NAME`. It is not made.
  public static func stateDirectory(_ name: String) -> String { ProcessEnvironment.stateDirectory(name) }
}

/// An app that knows users by cookies or tokens of its own.
///
/// ```swift
/// func authenticate(_ request: RequestHead) async throws -> User? {
///   guard let token = request.bearerToken else { return nil }
///   return try await accounts.user(of: token)
/// }
/// ```
public protocol AuthenticatingApp: EuripusApp {
  /// The user that a request is of; `nil` for one of nobody's.
  ///
  /// Asked off the loops, once for all requests with the same cookies and token in half a minute: so long the app's word counts. An error
  /// is answered `500`, and is in the log.
  func authenticate(_ request: RequestHead) async throws -> User?
}
