// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Seeded

/// A way to a session of the server: two connections, and the beginning of each request to it.
final class Link {
  /// Whether the referee sees its messages.
  let isObserved: Bool
  let url: String
  private let port: UInt16
  private let tampering: FaultRun.Tampering?
  private var clients: [TestClient]

  /// Opens a session on the ledger, as a client that has none yet.
  init(port: UInt16, tampering: FaultRun.Tampering?, isObserved: Bool) throws {
    (self.port, self.tampering, self.isObserved) = (port, tampering, isObserved)
    clients = try (0..<2).map { _ in try TestClient(port: port, isObserved: isObserved) }
    url = try clients[0].open("ledger")
  }

  private init(port: UInt16, as link: Link) throws {
    (self.port, tampering, isObserved, url) = (port, link.tampering, link.isObserved, link.url)
    clients = try (0..<2).map { _ in try TestClient(port: port, isObserved: link.isObserved) }
    clients[0].goOn(with: link.clients[0].cookie)
  }

  /// The way to the same session of a server at another port.
  func moved(to port: UInt16) throws -> Link { try Link(port: port, as: self) }

  /// Another connection of the session's client.
  func another() throws -> TestClient {
    let client = try TestClient(port: port, isObserved: isObserved)
    client.cookie = clients[0].cookie
    return client
  }

  /// A request as text.
  func text(
    _ method: String, _ path: String, since: String? = nil, key: String? = nil, body: String? = nil, waits: Bool = false
  ) -> String {
    var text = "\(method) \(url)\(path)\(since.map { "?since=\($0)" } ?? "") HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
    text += "Cookie: \(clients[0].cookie ?? "")\r\n"
    if let key = tampered(key) { text += "Idempotency-Key: \(key)\r\n" }
    if waits { text += "Prefer: wait=55\r\n" }
    if let body { text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
    return text + "\r\n" + (body ?? "")
  }

  private func tampered(_ key: String?) -> String? {
    switch tampering {
    case .losesKeys: nil
    case .makesNumbersTexts: key?.replacing("/", with: "-")
    case nil: key
    }
  }

  /// Sends a request and waits for its response.
  func exchange(_ method: String, _ path: String) throws -> TestClient.Response {
    try clients[0].request(method, url + path)
  }

  /// Sends a request on any of the connections, an old or a new one, in one or two pieces, and waits for its response.
  func exchange(_ request: String, using random: inout SeededGenerator) throws -> TestClient.Response {
    if Int.random(in: 0..<8, using: &random) == 0 { clients[1] = try another() }
    let client = clients[Int.random(in: 0..<2, using: &random)]
    if Int.random(in: 0..<6, using: &random) == 0 {
      let cut = Int.random(in: 1..<request.utf8.count, using: &random)
      try client.send(raw: Self.text(request.utf8.prefix(cut)))
      try client.send(raw: Self.text(request.utf8.dropFirst(cut)))
    } else {
      try client.send(raw: request)
    }
    return try client.receive()
  }

  /// Sends a part of a request and hangs up.
  func sendPart(_ request: String, using random: inout SeededGenerator) throws {
    try another().send(raw: Self.text(request.utf8.prefix(Int.random(in: 1..<request.utf8.count, using: &random))))
  }

  /// A part of a request, all of which is ASCII.
  private static func text(_ part: Substring.UTF8View) -> String { String(Substring(part)) }
}

extension TestClient.Response {
  /// The last segment of its problem's type; nil if it is no problem.
  var problem: String? {
    guard status >= 400, let type = json?["type"]?.text else { return nil }
    return String(type.dropFirst("/problems/".count))
  }

  /// Whether it is a problem of the store (PROTOCOL §7).
  var isOfStore: Bool {
    switch status {
    case 507: problem == "store-full"
    case 503: problem == "store-unavailable"
    default: false
    }
  }
}
