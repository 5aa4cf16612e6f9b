// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus

/// Options of `serve` about connections: how many, and TLS.
struct GateOptions: ParsableArguments {
  @Option(
    name: .customLong("max-connections-per-address"),
    help: ArgumentHelp("Connections that one address may have; one /64 of IPv6 counts as one.", valueName: "count"))
  var maxConnectionsPerAddress = 256

  @Option(
    name: .customLong("tls-cert"),
    help: ArgumentHelp(
      "A file with the certificate in PEM, and those that vouch for it after it, to serve HTTPS.", valueName: "file"))
  var certificate: String?

  @Option(
    name: .customLong("tls-key"),
    help: ArgumentHelp("A file with the certificate's private key in PEM.", valueName: "file"))
  var privateKey: String?

  mutating func validate() throws {
    guard maxConnectionsPerAddress >= 1 else {
      throw ValidationError("--max-connections-per-address must be at least 1, got \(maxConnectionsPerAddress)")
    }
    guard (certificate == nil) == (privateKey == nil) else {
      throw ValidationError("--tls-cert and --tls-key belong together; got only one of them")
    }
  }

  func apply(to configuration: inout ServerConfiguration) {
    configuration.maxConnectionsPerAddress = maxConnectionsPerAddress
    guard let certificate, let privateKey else { return }
    configuration.tls = TLSIdentity(certificates: .file(certificate), privateKey: .file(privateKey))
  }
}
