// SPDX-License-Identifier: MIT
import JSONPatching

/// Event streams. The run reads the bytes that the server sends at once; the network decides which of them
/// arrive, and when.
extension FaultRun {
  /// A stream that a client follows.
  struct Following {
    let client: Int
    let wire: Wire
    /// The version that the client held when it asked for the stream.
    let held: String
    /// The bytes that the server has sent.
    var sent = EventStream()
    /// The bytes that have arrived.
    var arrived = EventStream()
    /// The bytes on their way.
    var pending: [UInt8] = []
    /// Whether its server is gone.
    var isCut = false
    /// The version of the last event that the server has sent.
    var version: String?
  }

  /// A client that follows no stream opens one, unless the request for it is lost.
  func openStream() throws {
    let index = Int.random(in: followers.indices, using: &random)
    guard !followers[index].isClosed, !streams.contains(where: { $0.client == index }) else { return }
    if Int.random(in: 0..<8, using: &random) == 0 { return note { "client \(index)'s stream is lost" } }
    let since = Int.random(in: 0..<6, using: &random) == 0 ? nil : followers[index].version
    let wire = try Wire(port: port)
    // Last-Event-ID wins over since: a browser sends the since of its first request again.
    let asked = Bool.random(using: &random) ? since : states.keys.sorted().randomElement(using: &random)
    let last = since.map { asked == since ? "" : "Last-Event-ID: \($0)\r\n" }
    let head = link.head("GET", "/changes", since: last == nil ? nil : asked)
    try wire.write("\(head)Accept: text/event-stream\r\n\(last ?? "")\r\n".utf8)
    note { "client \(index) follows from \(since ?? "never")" }
    streams.append(Following(client: index, wire: wire, held: followers[index].version, version: since))
    try readStreams()
  }

  /// Reads each stream up to the present version, or to its end.
  func readStreams() throws {
    for index in streams.indices where !streams[index].isCut {
      while !streams[index].sent.isOver, streams[index].version != version || plain.closing != nil {
        let bytes = try streams[index].wire.readSome()
        streams[index].pending += bytes
        for event in streams[index].sent.take(bytes) { try judge(event, &streams[index]) }
        if bytes.isEmpty, !streams[index].sent.isOver { throw Finding(description: "a stream was cut by the server") }
      }
    }
  }

  private func judge(_ event: EventStream.Event, _ stream: inout Following) throws {
    let frame = try JSONReader.read(event.data, limits: .init(depth: 64, nodes: .max))
    guard frame["to"]?.text == event.id, frame["from"]?.text == stream.version else {
      throw Finding(description: "an event \(event.id) after \(stream.version ?? "nothing") is \(frame)")
    }
    stream.version = event.id
    counts.events += 1
  }

  /// Lets some bytes on their way arrive. A stream that was cut or has ended goes, and its client may open another.
  func streamArrival() throws {
    guard let index = streams.indices.randomElement(using: &random) else { return }
    let fate = Int.random(in: 0..<100, using: &random)
    let count =
      fate < 60 ? streams[index].pending.count : Int.random(in: 0...streams[index].pending.count, using: &random)
    try hand(count, to: index)
    let isOver = streams[index].arrived.isOver || streams[index].isCut && streams[index].pending.isEmpty
    if fate >= 85 || isOver {
      note { "client \(streams[index].client)'s stream is cut" }
      streams.remove(at: index)
    }
  }

  func hand(_ count: Int, to index: Int) throws {
    let client = streams[index].client
    let bytes = Array(streams[index].pending[..<count])
    streams[index].pending.removeFirst(count)
    for event in streams[index].arrived.take(bytes) {
      let before = followers[client].version
      let frame = try JSONReader.read(event.data, limits: .init(depth: 64, nodes: .max))
      try followers[client].take(frame: frame, held: streams[index].held)
      note { "client \(client) gets event \(event.id): it is at \(followers[client].version)" }
      try check(followers[client], before: before)
    }
  }
}
