// SPDX-License-Identifier: MIT
import Euripus

extension Setting {
  static let administration = Setting(
    name: "admin",
    help:
      "Where operators see and end sessions: a Unix socket, or a loopback address; by default nowhere",
    valueName: "path|host:port", unit: "",
    expected:
      "the path of a Unix socket, with a slash in it, or an address of this machine alone, such as 127.0.0.1:8081",
    isList: false, show: { $0.server.administration.map { "\($0)" } ?? "" },
    set: { settings, texts in
      guard let place = texts.last.flatMap({ AdministrationPlace($0) }) else { return false }
      settings.server.administration = place
      return true
    })
}

extension AdministrationPlace {
  /// The place of `--admin` without a value. The commands for operators look there too.
  static var standard: AdministrationPlace { .socket(path: ProcessEnvironment.stateDirectory("admin.sock")) }
}
