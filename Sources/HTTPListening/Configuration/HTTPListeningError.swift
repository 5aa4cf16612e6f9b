// SPDX-License-Identifier: MIT

/// The reason why a listener could not start.
public enum HTTPListeningError: Error, Equatable, CustomStringConvertible {
  /// Another socket already listens on this address.
  case addressInUse(host: String, port: UInt16)
  /// The host is not an address of this machine, or not an address at all.
  case unusableAddress(host: String, port: UInt16, reason: String)
  /// A Unix socket cannot be at this path.
  case unusableSocket(path: String, reason: String)
  /// The system refused something that listening needs (descriptors, memory, threads).
  case systemRefused(what: String, reason: String)
  /// The certificate or the private key cannot be read or do not fit.
  case unusableIdentity(String)
  /// A value of the listener's own fields has a line break or another control character.
  case unsendableFields
  /// `start()` was called a second time.
  case alreadyStarted

  public var description: String {
    switch self {
    case .addressInUse(let host, let port):
      "Cannot listen on \(host):\(port): another process or listener already does. "
        + "Stop it, choose another port, or use port 0 for any free one."
    case .unusableAddress(let host, let port, let reason):
      "Cannot listen on \(host):\(port): \(reason). "
        + "Expected an address of this machine, such as 127.0.0.1, ::1 or 0.0.0.0, and a port this user may use."
    case .unusableSocket(let path, let reason):
      "Cannot listen on the socket '\(path)': \(reason). Expected a path where there is nothing, or the socket of a server "
        + "that has ended, in a directory of this user."
    case .systemRefused(let what, let reason):
      "Cannot start listening: \(what) failed: \(reason). "
        + "Check the limits on open files, memory and threads (ulimit -a)."
    case .unusableIdentity(let reason):
      "Cannot serve TLS: \(reason)."
    case .unsendableFields:
      "Cannot start listening: a field of commonFields has a control character in its value. "
        + "Expected text of one line (RFC 9110 §5.5)."
    case .alreadyStarted:
      "Cannot start listening: start() was already called. A listener starts once; make a new one to listen again."
    }
  }
}
