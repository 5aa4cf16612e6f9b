// SPDX-License-Identifier: MIT
import EuripusTesting
import Seeded

/// A way to a session of the server: two connections, and the beginning of each request to it.
final class Link {
  /// The number by which the recording knows the session.
  let number: Int
  private let port: UInt16
  private let tampering: FaultRun.Tampering?
  private let url: String
  private let cookie: String
  private var wires: [Wire]

  /// Opens a session on the ledger, as a client that has none yet.
  init(port: UInt16, tampering: FaultRun.Tampering?) throws {
    self.port = port
    self.tampering = tampering
    number = TestObservation.number()
    wires = [try Wire(port: port), try Wire(port: port)]
    try wires[0].write("POST /sessions/ledger HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: 0\r\n\r\n".utf8)
    let bytes = try wires[0].read()
    guard let url = Answer.field("Location", of: bytes), let cookie = Answer.field("Set-Cookie", of: bytes) else {
      throw Finding(description: "no session was opened: \(String(decoding: bytes, as: UTF8.self))")
    }
    self.url = url
    self.cookie = String(cookie.prefix { $0 != ";" })
  }

  private init(port: UInt16, as link: Link) throws {
    self.port = port
    (tampering, url) = (link.tampering, link.url)
    // The port is in the cookie's name.
    cookie = "euripus-\(port)\(link.cookie.drop { $0 != "=" })"
    number = link.number
    wires = [try Wire(port: port), try Wire(port: port)]
  }

  /// The way to the same session of a server at another port.
  func moved(to port: UInt16) throws -> Link { try Link(port: port, as: self) }

  /// The head of a request, without the fields of its body and without its end.
  func head(_ method: String, _ path: String, since: String? = nil, key: String? = nil) -> String {
    var head = "\(method) \(url)\(path)\(since.map { "?since=\($0)" } ?? "") HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
    head += "Cookie: \(cookie)\r\n"
    if let key = tampered(key) { head += "Idempotency-Key: \(key)\r\n" }
    return head
  }

  private func tampered(_ key: String?) -> String? {
    switch tampering {
    case .losesKeys: nil
    case .makesNumbersTexts: key?.replacing("/", with: "-")
    case nil: key
    }
  }

  /// Sends a request and waits for its response.
  func exchange(_ request: String) throws -> [UInt8] {
    try wires[0].write(request.utf8)
    return try wires[0].read()
  }

  /// Sends a request on any of the connections, an old or a new one, in one or two pieces, and waits for its response.
  func exchange(_ request: String, using random: inout SeededGenerator) throws -> [UInt8] {
    let bytes = Array(request.utf8)
    if Int.random(in: 0..<8, using: &random) == 0 { wires[1] = try Wire(port: port) }
    let wire = wires[Int.random(in: 0..<2, using: &random)]
    if Int.random(in: 0..<6, using: &random) == 0 {
      let cut = Int.random(in: 1..<bytes.count, using: &random)
      try wire.write(bytes[..<cut])
      try wire.write(bytes[cut...])
    } else {
      try wire.write(bytes)
    }
    return try wire.read()
  }

  /// Sends a part of a request and hangs up.
  func sendPart(_ request: String, using random: inout SeededGenerator) throws {
    let wire = try Wire(port: port)
    let bytes = Array(request.utf8)
    try wire.write(bytes[..<Int.random(in: 1..<bytes.count, using: &random)])
  }
}
