// SPDX-License-Identifier: MIT

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
