// SPDX-License-Identifier: MIT
import Foundation
import HTTPListening

/// A certificate for localhost and its key, made by openssl for this run of the tests, and a key that does not fit.
struct TestCertificate: Sendable {
  let certificate: String
  let privateKey: String
  let otherKey: String

  static let shared = Result { try TestCertificate() }
  /// Another certificate, which takes the place of `shared`.
  static let next = Result { try TestCertificate() }

  var identity: TLSIdentity { TLSIdentity(certificates: .text(certificate), privateKey: .text(privateKey)) }

  private init() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("certificate-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    func path(_ name: String) -> String { directory.appendingPathComponent(name).path }
    try Self.openssl(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
      "/CN=localhost", "-keyout", path("key"), "-out", path("certificate"))
    try Self.openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", path("other"))
    certificate = try String(contentsOfFile: path("certificate"), encoding: .utf8)
    privateKey = try String(contentsOfFile: path("key"), encoding: .utf8)
    otherKey = try String(contentsOfFile: path("other"), encoding: .utf8)
  }

  private static func openssl(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw RawClient.Failure(description: "openssl \(arguments) ended with \(process.terminationStatus)")
    }
  }
}
