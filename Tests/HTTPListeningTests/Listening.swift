// SPDX-License-Identifier: MIT
import HTTPListening

/// A request without a body.
let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

/// A request with a body, and its length if `fields` does not say how the body ends.
func post(_ body: String, to target: String = "/", fields: String? = nil) -> String {
  "POST \(target) HTTP/1.1\r\nHost: h\r\n\(fields ?? "Content-Length: \(body.utf8.count)")\r\n\r\n\(body)"
}

/// Runs `body` against a listener on a free port, and stops it.
///
/// - Parameter clock: The clock of a listener of one loop. When that loop has served a client, it has read all
///   bytes that other clients had sent before.
func withListener<Result>(
  clock: TestClock? = nil, configure: (inout HTTPListenerConfiguration) -> Void = { _ in },
  handler: @escaping @Sendable (HTTPRequest) -> HTTPAnswer = echo, _ body: (HTTPListener) throws -> Result
) throws -> Result {
  var configuration = HTTPListenerConfiguration(host: "127.0.0.1", port: 0)
  if let clock { (configuration.loops, configuration.clock) = (1, clock.clock) }
  configure(&configuration)
  let listener = HTTPListener(configuration: configuration, onRefusal: refusalResponse, handler: handler)
  try listener.start()
  defer { listener.stop(within: .zero) }
  return try body(listener)
}

extension HTTPListener {
  /// A client that has sent a request.
  func client(_ request: String = get, receiveBuffer: Int32? = nil) throws -> RawClient {
    let client = try RawClient(port: port, receiveBuffer: receiveBuffer)
    try client.send(request)
    return client
  }

  /// The answer to a request of a client of its own.
  @discardableResult
  func answer(_ request: String = get) throws -> RawClient.Response { try client(request).receive() }

  /// A client that has been answered.
  func served(from source: UInt8 = 1) throws -> RawClient {
    let client = try RawClient(port: port, from: source)
    try client.send(get)
    guard try client.receive().status == 200 else { throw RawClient.Failure(description: "not served") }
    return client
  }
}

func refusalResponse(_ refusal: HTTPRefusal, _ request: HTTPRequest) -> HTTPResponse {
  let status =
    switch refusal {
    case .bodyTooLarge: 413
    case .targetTooLong: 414
    case .unknownExpectation: 417
    case .headersTooLarge, .tooManyFields: 431
    case .unknownTransferEncoding: 501
    case .malformedRequestLine, .malformedField, .ambiguousHost, .malformedLength, .ambiguousLength,
      .transferEncodingTooEarly:
      400
    }
  return HTTPResponse(status: status, fields: [], body: Array("refused: \(refusal)".utf8))
}

extension HTTPResponse {
  init(_ text: String) {
    self.init(status: 200, fields: [HTTPField("Content-Type", "text/plain")], body: Array(text.utf8))
  }
}

/// Answers with the parts of the request: `method target host body`.
func echo(_ request: HTTPRequest) -> HTTPAnswer {
  let body = String(decoding: request.body, as: UTF8.self)
  return .now(HTTPResponse("\(request.method) \(request.target) \(request.header("host") ?? "-") \(body)"))
}

/// A handler that lets every request wait, until the test answers the reply that it gets.
func holding(_ replies: Mailbox<DeferredReply>) -> @Sendable (HTTPRequest) -> HTTPAnswer {
  { _ in
    let reply = DeferredReply(deadline: nil) { _, _ in }
    replies.put(reply)
    return .later(reply)
  }
}

/// A reply that waits. Its ending goes to `endings`, and is answered with its name unless the client has left.
/// An ending that another answer overtakes, between the deadline and the call here, does not go there.
func waiting(deadline: Duration? = nil, endings: Mailbox<DeferredReply.Ending>) -> DeferredReply {
  DeferredReply(deadline: deadline) { reply, ending in
    let isMine =
      switch ending {
      case .timedOut: reply.answer(HTTPResponse("timed out"))
      case .stopping: reply.answer(HTTPResponse("stopping"))
      case .clientLeft: true
      }
    if isMine { endings.put(ending) }
  }
}
