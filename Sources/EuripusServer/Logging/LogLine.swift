// SPDX-License-Identifier: MIT
import JSONPatching
import Logging

/// One event of the log, and its written forms.
struct LogLine {
  let time: LogTime
  let level: Logger.Level
  let message: String
  let members: [(key: String, value: Logger.Metadata.Value)]

  /// The form `time level message name=value …`. A value that is not a plain word is a JSON string.
  var text: String {
    var line = "\(time) \(level.rawValue) \(Self.printable(message))"
    for (name, value) in members { line += " \(Self.word(name))=\(Self.word(Self.plain(value)))" }
    return line
  }

  /// One JSON object. If metadata has the name of one of the first three members, an underscore follows that
  /// name.
  var json: String {
    var writer = JSONWriter(capacity: 256)
    writer.beginObject()
    writer.key("time")
    writer.string(time.description)
    writer.key("level")
    writer.string(level.rawValue)
    writer.key("message")
    writer.string(message)
    for (name, value) in members {
      writer.key(["time", "level", "message"].contains(name) ? name + "_" : name)
      Self.write(value, to: &writer)
    }
    writer.endObject()
    return Self.escaped(String(decoding: writer.bytes, as: UTF8.self))
  }

  /// JSON with numbers in place of the characters that are not `printable` (RFC 8259 §7). Such characters stand
  /// only in strings.
  private static func escaped(_ json: String) -> String {
    if isPrintable(json) { return json }
    var scalars = String.UnicodeScalarView()
    for scalar in json.unicodeScalars {
      guard isUnprintable(scalar) else {
        scalars.append(scalar)
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        scalars.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars)
      }
    }
    return String(scalars)
  }

  private static func write(_ value: Logger.Metadata.Value, to writer: inout JSONWriter) {
    switch value {
    case .string(let text): writer.string(text)
    case .stringConvertible(let value as Int): writer.integer(value)
    case .stringConvertible(let value as Double) where value.isFinite: writer.number(value)
    case .stringConvertible(let value as Bool): writer.bool(value)
    case .stringConvertible(let value): writer.string(value.description)
    case .array(let values):
      writer.beginArray()
      for value in values { write(value, to: &writer) }
      writer.endArray()
    case .dictionary(let members):
      writer.beginObject()
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        writer.key(name)
        write(value, to: &writer)
      }
      writer.endObject()
    }
  }

  /// A value in a line of text, before it is quoted.
  private static func plain(_ value: Logger.Metadata.Value) -> String {
    switch value {
    case .string(let text): return text
    case .stringConvertible(let value): return value.description
    case .array, .dictionary:
      var writer = JSONWriter(capacity: 64)
      write(value, to: &writer)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
  }

  private static func word(_ text: String) -> String {
    let text = printable(text)
    if !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=") }) {
      return text
    }
    var writer = JSONWriter(capacity: text.utf8.count + 2)
    writer.string(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// A text without the characters that break a line, command a terminal, or turn the direction of writing.
  /// Each becomes a space.
  private static func printable(_ text: String) -> String {
    if isPrintable(text) { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isUnprintable($0) ? " " : $0 }))
  }

  /// Whether a text is plain enough to be known as printable at once.
  private static func isPrintable(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }

  private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
