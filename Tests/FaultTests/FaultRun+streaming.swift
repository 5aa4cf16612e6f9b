// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching

/// Event streams. The run reads the events that the server sends at once; the network decides which of them
/// arrive, and when.
extension FaultRun {
  /// A stream that a client follows.
  struct Following {
    let client: Int
    let stream: TestStream
    /// The version that the client held when it asked for the stream.
    let held: String
    /// The version of the last event that the server has sent.
    var version: String?
    /// The frames on their way.
    var pending: [JSON] = []
    /// Whether the server has ended it.
    var isOver = false
    /// Whether its server is gone.
    var isCut = false
  }

  /// A client that follows no stream opens one, unless the request for it is lost.
  func openStream() throws {
    let index = Int.random(in: followers.indices, using: &random)
    guard !followers[index].isClosed, !streams.contains(where: { $0.client == index }) else { return }
    if Int.random(in: 0..<8, using: &random) == 0 { return note { "client \(index)'s stream is lost" } }
    let since = Int.random(in: 0..<6, using: &random) == 0 ? nil : followers[index].version
    // Last-Event-ID wins over since: a browser sends the since of its first request again.
    let asked = Bool.random(using: &random) ? since : states.keys.sorted().randomElement(using: &random)
    var target = "\(link.url)/changes"
    var fields: [(String, String)] = []
    if let since, let asked {
      target += "?since=\(asked)"
      if asked != since { fields = [("Last-Event-ID", since)] }
    }
    note { "client \(index) follows from \(since ?? "never")" }
    let stream = try TestStream(target, of: link.another(), fields: fields)
    streams.append(Following(client: index, stream: stream, held: followers[index].version, version: since))
    try readStreams()
  }

  /// Reads each stream up to the present version, or to its end.
  func readStreams() throws {
    for index in streams.indices where !streams[index].isCut {
      while !streams[index].isOver, streams[index].version != version || plain.closing != nil {
        if let event = try streams[index].stream.nextEvent() {
          try judge(event, &streams[index])
        } else {
          streams[index].isOver = true
        }
      }
    }
  }

  private func judge(_ event: (id: String, data: String), _ following: inout Following) throws {
    let frame = try JSONReader.read(Array(event.data.utf8), limits: .init(depth: 64, nodes: .max))
    guard frame["to"]?.text == event.id, frame["from"]?.text == following.version else {
      throw Finding(description: "an event \(event.id) after \(following.version ?? "nothing") is \(frame)")
    }
    following.version = event.id
    following.pending.append(frame)
    counts.events += 1
  }

  /// Lets some events on their way arrive. A stream that was cut or has ended goes, and its client may open another.
  func streamArrival() throws {
    guard let index = streams.indices.randomElement(using: &random) else { return }
    let fate = Int.random(in: 0..<100, using: &random)
    let count =
      fate < 60 ? streams[index].pending.count : Int.random(in: 0...streams[index].pending.count, using: &random)
    try hand(count, to: index)
    let isOver = (streams[index].isOver || streams[index].isCut) && streams[index].pending.isEmpty
    if fate >= 85 || isOver {
      note { "client \(streams[index].client)'s stream is cut" }
      streams.remove(at: index)
    }
  }

  func hand(_ count: Int, to index: Int) throws {
    let client = streams[index].client
    let frames = streams[index].pending.prefix(count)
    streams[index].pending.removeFirst(count)
    for frame in frames {
      let before = followers[client].version
      try followers[client].take(frame: frame, held: streams[index].held)
      note { "client \(client) gets event \(frame["to"]?.text ?? ""): it is at \(followers[client].version)" }
      try check(followers[client], before: before)
    }
  }
}
