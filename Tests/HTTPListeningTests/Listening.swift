// SPDX-License-Identifier: MIT
import HTTPListening

/// Runs `body` against a listener on a free port, and stops it.
func withListener<Result>(
  configure: (inout HTTPListenerConfiguration) -> Void = { _ in },
  handler: @escaping @Sendable (HTTPRequest) -> HTTPAnswer,
  _ body: (HTTPListener) throws -> Result
) throws -> Result {
  var configuration = HTTPListenerConfiguration(host: "127.0.0.1", port: 0)
  configure(&configuration)
  let listener = HTTPListener(configuration: configuration, onRefusal: refusalResponse, handler: handler)
  try listener.start()
  defer { listener.stop(within: .zero) }
  return try body(listener)
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

/// Answers with the parts of the request: `method target host length-of-the-body body`.
func echo(_ request: HTTPRequest) -> HTTPAnswer {
  let body = String(decoding: request.body, as: UTF8.self)
  return .now(HTTPResponse("\(request.method) \(request.target) \(request.header("host") ?? "-") \(body)"))
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
