// SPDX-License-Identifier: MIT

/// An event stream from its first byte: the response's head, the chunks that have come, and the events in them.
struct EventStream {
  struct Event: Equatable {
    var id: String
    var data: [UInt8]
  }

  /// Whether the last chunk has come, with which the server ends the stream.
  private(set) var isOver = false
  /// The status of the response; nil before its head has come.
  private(set) var status: Int?
  private var raw: [UInt8] = []
  private var text: [UInt8] = []

  /// Takes the next bytes, and gives the events that are whole now.
  mutating func take(_ bytes: [UInt8]) -> [Event] {
    raw += bytes
    if status == nil {
      guard let end = Self.index(of: "\r\n\r\n", in: raw) else { return [] }
      status = raw[9..<12].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
      if Answer.field("Transfer-Encoding", of: raw) != "chunked" { isOver = true }
      raw.removeFirst(end + 4)
    }
    while !isOver, let end = Self.index(of: "\r\n", in: raw) {
      guard let size = Int(String(decoding: raw[..<end], as: UTF8.self), radix: 16) else { break }
      guard raw.count >= end + 2 + size + 2 else { break }
      text += raw[(end + 2)..<(end + 2 + size)]
      raw.removeFirst(end + 2 + size + 2)
      if size == 0 { isOver = true }
    }
    var events: [Event] = []
    while let end = Self.index(of: "\n\n", in: text) {
      var event = Event(id: "", data: [])
      for line in text[..<end].split(separator: UInt8(ascii: "\n")) {
        if line.starts(with: "id: ".utf8) { event.id = String(decoding: line.dropFirst(4), as: UTF8.self) }
        if line.starts(with: "data: ".utf8) { event.data = Array(line.dropFirst(6)) }
      }
      text.removeFirst(end + 2)
      if !event.data.isEmpty { events.append(event) }
    }
    return events
  }

  private static func index(of needle: String, in bytes: [UInt8]) -> Int? {
    let needle = Array(needle.utf8)
    guard bytes.count >= needle.count else { return nil }
    return (0...(bytes.count - needle.count)).first { bytes[$0...].starts(with: needle) }
  }
}
