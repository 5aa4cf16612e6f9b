// SPDX-License-Identifier: MIT
import Foundation
import HTTPListening

/// The files of a certificate and its key, which a test replaces as an operator does. Releasing the object
/// removes them.
final class CertificateFiles {
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("pem-\(UUID().uuidString)")

  init(_ certificate: TestCertificate) throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try write(certificate.certificate, certificate.privateKey)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  private func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

  var identity: TLSIdentity { TLSIdentity(certificates: .file(path("certificate")), privateKey: .file(path("key"))) }

  func write(_ certificate: String, _ key: String) throws {
    try Data(certificate.utf8).write(to: URL(fileURLWithPath: path("certificate")))
    try Data(key.utf8).write(to: URL(fileURLWithPath: path("key")))
  }

  /// The options of a client that trusts this certificate alone.
  func trusting(_ certificate: TestCertificate, as name: String) throws -> [String] {
    try Data(certificate.certificate.utf8).write(to: URL(fileURLWithPath: path(name)))
    return ["-CAfile", path(name), "-no-CApath", "-no-CAstore", "-verify_return_error"]
  }
}
