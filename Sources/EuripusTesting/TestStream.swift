// SPDX-License-Identifier: MIT

/// The reader of an event stream on a connection of its own. It is like a browser's EventSource, except that it
/// shows all items, reads only when it is asked to, and does not connect again.
///
/// Its calls block, and each gives up after a minute without a byte. It is not `Sendable`: one thread uses it
/// at a time (PROTOCOL §5).
public final class TestStream {
  /// The lines between two empty ones.
  public enum Item: Sendable, Equatable {
    case event(id: String, data: String)
    /// The pause before the client comes back, in milliseconds.
    case retry(Int)
    case comment(String)
  }

  /// The head of the response. ``next()`` gives the items of its body; if it is no stream, this has the body
  /// too.
  public let head: TestClient.Response
  private let client: TestClient
  private let isChunked: Bool
  private var text: [UInt8] = []
  /// The number of bytes of the text that are known to have no empty line.
  private var searched = 0
  private var isAtEnd = false

  /// Sends the request and reads the response's head.
  ///
  /// - Parameter owner: the client whose cookie is sent. The stream keeps alive the server that the client
  ///   keeps alive.
  public init(_ target: String, of owner: TestClient, fields: [(String, String)] = []) throws {
    client = try TestClient(port: owner.port, isObserved: owner.isObserved)
    client.server = owner.server
    client.cookie = owner.cookie
    try client.send("GET", target, fields: [("Accept", "text/event-stream")] + fields)
    head = try client.receive()
    isChunked = head["Transfer-Encoding"] == "chunked"
  }

  /// The next item; `nil` at the end of the stream.
  public func next() throws -> Item? {
    while true {
      if let end = emptyLine() {
        let item = try Self.item(String(decoding: text[..<end], as: UTF8.self))
        text.removeSubrange(..<(end + 2))
        searched = 0
        return item
      }
      guard isChunked, !isAtEnd else {
        if text.isEmpty { return nil }
        throw TestClientError("the stream ended in an item: '\(String(decoding: text, as: UTF8.self))'")
      }
      let chunk = try client.receiveChunk()
      isAtEnd = chunk.isEmpty
      text += chunk
    }
  }

  /// The next event's data; other items are passed over. `nil` at the end of the stream.
  public func nextEvent() throws -> (id: String, data: String)? {
    while let item = try next() {
      if case .event(let id, let data) = item { return (id, data) }
    }
    return nil
  }

  /// Closes the connection, like a reader that goes away.
  public func leave() { client.leave() }

  private func emptyLine() -> Int? {
    while let end = text[searched...].firstIndex(of: 10), end + 1 < text.count {
      if text[end + 1] == 10 { return end }
      searched = end + 1
    }
    // The last byte may be the first half of an empty line.
    searched = max(0, text.count - 1)
    return nil
  }

  private static func item(_ block: String) throws -> Item {
    var id: String?
    var data: String?
    for line in block.split(separator: "\n") {
      if line.hasPrefix("id: "), id == nil {
        id = String(line.dropFirst(4))
      } else if line.hasPrefix("data: "), data == nil {
        data = String(line.dropFirst(6))
      } else if line.hasPrefix("retry: "), let milliseconds = Int(line.dropFirst(7)) {
        return .retry(milliseconds)
      } else if line.hasPrefix(":") {
        return .comment(String(line.dropFirst()))
      } else {
        throw TestClientError("expected a line of an event stream, got '\(line)'")
      }
    }
    guard let id, let data else { throw TestClientError("expected an id and data, got '\(block)'") }
    return .event(id: id, data: data)
  }
}
