// SPDX-License-Identifier: MIT
public import JSONPatching

/// An HTTP client on one connection that is kept alive. It sends back the cookies that it was given, like curl
/// with a jar.
///
/// Its calls block, and each gives up after a minute without a byte. A test that blocks has one of the few
/// threads that tasks need. So in an asynchronous test, where commands execute, use the asynchronous forms,
/// which wait on another thread. It is not `Sendable`: one thread uses it at a time.
public final class TestClient {
  /// A response as it came.
  public struct Response: Sendable {
    public let status: Int
    public let fields: [(name: String, value: String)]
    public let body: [UInt8]

    /// The value of the first field of this name, in any case.
    public subscript(field: String) -> String? {
      fields.first { $0.name.lowercased() == field.lowercased() }?.value
    }

    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The JSON of the body; `nil` if it is none.
    public var json: JSON? { try? JSONReader.read(body) }
  }

  /// The port of the server.
  public let port: UInt16
  let address: String
  /// The paths of the sessions that it has opened.
  var openedURLs: [String] = []
  /// The server; the client keeps it alive.
  var server: TestServer?
  private var socket: TestSocket
  /// The cookies that the server and the app have set, with `; ` between them; the client sends them back.
  public var cookie: String?

  /// - Parameters:
  ///   - address: an address of this machine, in numbers.
  ///   - source: the address from which the client connects, such as `127.0.0.2`; `nil` to leave it to the
  ///     system.
  public convenience init(port: UInt16, address: String = "127.0.0.1", from source: String? = nil) throws {
    try self.init(port: port, address: address, from: source, patience: 60, isObserved: true)
  }

  /// - Parameters:
  ///   - patience: the seconds without a byte after which it gives up.
  ///   - isObserved: whether an observer sees its messages.
  package init(
    port: UInt16, address: String = "127.0.0.1", from source: String? = nil, patience: Int = 60, isObserved: Bool
  ) throws {
    self.port = port
    self.address = address
    socket = try TestSocket(port: port, address: address, from: source, patience: patience, isObserved: isObserved)
  }

  /// Whether an observer sees its messages.
  var isObserved: Bool { socket.isObserved }

  deinit { recordLastStates() }

  /// Takes another client's cookies, even those of a server at another port, as a restarted server may have one.
  /// The name of the server's own has the port (PROTOCOL §2).
  public func goOn(with cookie: String?) {
    var cookies = TestCookies(cookie)
    cookies.rename(for: port)
    self.cookie = cookies.text
  }

  /// The index of the first client that has bytes to read; `nil` if none has within a minute.
  public static func firstReadable(of clients: [TestClient]) -> Int? {
    TestSocket.firstReadable(of: clients.map(\.socket))
  }

  /// Sends a request and waits for its response.
  @discardableResult
  public func request(
    _ method: String, _ target: String, _ body: String? = nil, fields: [(String, String)] = []
  ) throws -> Response {
    try send(method, target, body, fields: fields)
    return try receive(hasBody: method != "HEAD")
  }

  /// Sends a request without waiting.
  public func send(_ method: String, _ target: String, _ body: String? = nil, fields: [(String, String)] = []) throws {
    var head = "\(method) \(target) HTTP/1.1\r\n"
    let names = Set(fields.map { $0.0.lowercased() })
    if !names.contains("host") { head += "Host: 127.0.0.1:\(port)\r\n" }
    if let cookie, !names.contains("cookie") { head += "Cookie: \(cookie)\r\n" }
    for (name, value) in fields { head += "\(name): \(value)\r\n" }
    if let body {
      if !names.contains("content-type") { head += "Content-Type: application/json\r\n" }
      head += "Content-Length: \(body.utf8.count)\r\n"
    } else if method == "POST" || method == "PUT" {
      head += "Content-Length: 0\r\n"
    }
    try socket.write(Array((head + "\r\n" + (body ?? "")).utf8))
  }

  /// Sends a text as it is, for a request that no client would send.
  public func send(raw text: String) throws { try socket.write(Array(text.utf8)) }

  /// Waits for a response to the request that was sent.
  public func receive(hasBody: Bool = true) throws -> Response {
    let head = try socket.readLines()
    let words = (head.first ?? "").split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
      throw TestClientError("expected a status line, got '\(head.first ?? "")'")
    }
    let fields = try head.dropFirst().map { line in
      guard let colon = line.firstIndex(of: ":") else { throw TestClientError("expected a field, got '\(line)'") }
      return (name: String(line[..<colon]), value: String(line[line.index(after: colon)...].drop { $0 == " " }))
    }
    let set = fields.filter { $0.name.lowercased() == "set-cookie" }.map(\.value)
    if !set.isEmpty {
      var cookies = TestCookies(cookie)
      for field in set { cookies.set(field) }
      cookie = cookies.text
    }
    let length = fields.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
    let body = hasBody && status != 304 ? try socket.read(length) : []
    return Response(status: status, fields: fields, body: body)
  }

  /// The next chunk of a body in chunks; empty at its end (RFC 9112 §7.1).
  func receiveChunk() throws -> [UInt8] {
    guard let size = try Int(socket.readLine(), radix: 16) else { throw TestClientError("expected a chunk's size") }
    let chunk = try socket.read(size)
    guard try socket.readLine().isEmpty else { throw TestClientError("expected the end of a chunk of \(size) bytes") }
    return chunk
  }

  /// Closes the connection, like a client that goes away.
  public func leave() { socket.close() }

  /// Whether the server has closed the connection; it waits for that.
  public func isClosedByServer() -> Bool { socket.isAtEnd() }

  /// Opens a session. Returns its path, that of the URL.
  public func open(_ model: String) throws -> String { try url(of: request("POST", "/sessions/\(model)")) }

  func url(of response: Response) throws -> String {
    guard response.status == 201, case .string(let url)? = response.json?["url"] else {
      throw TestClientError("expected 201 with a url, got \(response.status): \(response.text)")
    }
    openedURLs.append(url)
    return url
  }
}

/// A response that a test's client did not understand.
public struct TestClientError: Error, CustomStringConvertible {
  public let description: String
  init(_ description: String) { self.description = description }
}

extension TestClient {
  /// If there is an observer, asks once more for the state of every session that this client has opened. So the
  /// observer knows the states to which the patches must have led. A server that is gone, or a session that is
  /// busy, is left alone.
  func recordLastStates() {
    guard isObserved, TestObservation.current != nil, !openedURLs.isEmpty else { return }
    guard let other = try? TestClient(port: port, address: address, patience: 2, isObserved: true) else { return }
    other.cookie = cookie
    for url in openedURLs where (try? other.request("GET", url)) == nil { return }
  }
}
