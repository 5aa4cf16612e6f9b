// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// The texts of an identity that has proved usable.
struct LoadedIdentity: Sendable {
  let certificates: String
  let privateKey: String

  /// The largest file that is read, in bytes. No chain of certificates is that long.
  private static let longest = 1_048_576

  /// - Throws: `unusableIdentity`, which names the file that cannot be read, or the parts that do not fit
  ///   together.
  init(_ identity: TLSIdentity) throws(HTTPListeningError) {
    certificates = try Self.text(of: identity.certificates, "certificate")
    privateKey = try Self.text(of: identity.privateKey, "private key")
    if let error = certificates.withCString({ chain in
      privateKey.withCString { key in cmhd_certificate_error(chain, key).map { String(cString: $0) } }
    }) {
      // GnuTLS's texts are sentences, with a full stop.
      let reason = error.hasSuffix(".") ? String(error.dropLast()) : error
      throw .unusableIdentity(
        "the certificate (\(Self.name(identity.certificates))) and the private key "
          + "(\(Self.name(identity.privateKey))) cannot be used together: \(reason)")
    }
  }

  private static func name(_ pem: TLSIdentity.PEM) -> String {
    switch pem {
    case .text: "given as text"
    case .file(let path): path
    }
  }

  private static func text(of pem: TLSIdentity.PEM, _ what: String) throws(HTTPListeningError) -> String {
    let text =
      switch pem {
      case .text(let text): text
      case .file(let path): try read(path, what)
      }
    guard text.contains("-----BEGIN "), !text.utf8.contains(0) else {
      throw .unusableIdentity(
        "the \(what) (\(name(pem))) is not in PEM: expected a text with a line '-----BEGIN …-----', "
          + "got \(text.utf8.count) bytes without one")
    }
    return text
  }

  private static func read(_ path: String, _ what: String) throws(HTTPListeningError) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .unusableIdentity("the \(what) cannot be read from \(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= longest {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw .unusableIdentity("the \(what) cannot be read from \(path): \(String(cString: strerror(errno)))")
      }
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
    throw .unusableIdentity("the \(what) in \(path) is longer than \(longest) bytes")
  }
}

/// The proof of a server's identity over TLS: a certificate, followed by those that vouch for it, and its
/// private key.
public struct TLSIdentity: Sendable, Equatable {
  /// A text in PEM, or the path of the file that has it.
  public enum PEM: Sendable, Equatable {
    case text(String)
    case file(String)
  }

  public var certificates: PEM
  public var privateKey: PEM

  public init(certificates: PEM, privateKey: PEM) {
    self.certificates = certificates
    self.privateKey = privateKey
  }
}
