// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import Glibc
import JSONPatching

/// `sessions`: the commands with which an operator asks about the sessions of a running server, and ends them.
struct SessionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions", abstract: "Sees and ends the sessions of a running server.",
    discussion: """
      The server is one that 'serve --admin' has started. None of these shows anything by which a session could be used. Exit \
      status: 0 if it is done, 1 if nobody listens there, or there is no such session, or the server could not do it.
      """,
    subcommands: [SessionsList.self, SessionsShow.self, SessionsEnd.self, SessionsDrain.self, SessionsPardon.self])
}

/// The server that the commands for operators ask.
struct OperatedServer: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where the server listens for operators. (default: that of EURIPUS_ADMIN, or \(Self.standard))",
      valueName: "path|host:port"))
  var admin: String?

  private static var standard: AdministrationPlace {
    StandardSettings.current.server.administration ?? AdministrationPlace.standard
  }

  func validate() throws { _ = try place }

  private var place: AdministrationPlace {
    get throws {
      let setting = Setting.administration
      let variable = ProcessEnvironment.variables[setting.variable]
      guard let text = admin ?? variable else { return Self.standard }
      if let place = AdministrationPlace(text) { return place }
      let name = setting.place(admin == nil ? .environment : .option)
      throw ValidationError("\(name) must be \(setting.expected); got '\(text)'")
    }
  }

  /// Sends a request.
  ///
  /// - Returns: the body of the answer.
  /// - Throws: `ExitCode`, after a line that describes the failure.
  func ask(_ method: String, _ path: String, _ query: [(name: String, value: String?)] = []) throws -> [UInt8] {
    let client = OperatorClient(place: try place)
    let items = query.compactMap { name, value in value.map { "\(name)=\(OperatorClient.escaped($0))" } }
    do throws(OperatorClient.Failure) {
      return try client.ask(method, path + (items.isEmpty ? "" : "?\(items.joined(separator: "&"))"))
    } catch {
      StandardError.complain("\(error)")
      throw ExitCode.failure
    }
  }

  /// Sends a request whose answer is JSON.
  func askForJSON(_ method: String, _ path: String, _ query: [(name: String, value: String?)] = []) throws -> JSON {
    // A page of sessions, or the state of one, may be longer than a value of a client.
    try JSONReader.read(try ask(method, path, query), limits: JSONLimits(depth: 512, nodes: .max))
  }
}
