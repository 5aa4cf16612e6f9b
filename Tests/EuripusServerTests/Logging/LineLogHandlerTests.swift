// SPDX-License-Identifier: MIT
import JSONPatching
import EuripusServer
import Locking
import Logging
import Testing

@Suite struct `A log of lines` {
  /// A logger, and a function that gives the lines that it has written.
  private func logger(
    _ format: LineLogHandler.Format, level: Logger.Level = .trace
  ) -> (Logger, lines: () -> [String]) {
    let lines = Locked<[String]>([])
    let logger = Logger(label: "test") { _ in
      LineLogHandler(
        format, level: level, now: { LogTime(milliseconds: 1_795_275_232_104) },
        write: { line in lines.withLock { $0.append(line) } })
    }
    return (logger, { lines.withLock { $0 } })
  }

  @Test func `is text for people, with the metadata in the order of its names`() {
    let (logger, lines) = logger(.text)
    logger.warning("slow", metadata: ["model": "note", "action": "save", "milliseconds": .stringConvertible(150)])
    #expect(lines() == ["2026-11-21T15:33:52.104Z warning slow action=save milliseconds=150 model=note"])
  }

  @Test func `is one JSON object a line for programs`() throws {
    var (logger, lines) = logger(.json)
    logger[metadataKey: "node"] = "a"
    logger.error(
      "two\nlines",
      metadata: [
        "bytes": .stringConvertible(12), "ratio": .stringConvertible(0.5), "ok": .stringConvertible(true),
        "list": ["x", .dictionary(["k": "v"])], "level": "mine",
      ])
    #expect(
      lines() == [
        #"{"time":"2026-11-21T15:33:52.104Z","level":"error","message":"two\nlines","bytes":12,"level_":"mine","list":["x",{"k":"v"}],"node":"a","ok":true,"ratio":0.5}"#
      ])
    _ = try JSONReader.read(Array(lines()[0].utf8))
  }

  @Test(arguments: [
    ("a\u{7F}b", #"a\u007fb"#, "a b"), ("a\r\nb", #"a\r\nb"#, "a  b"), ("\u{1B}[31m", #"\u001b[31m"#, " [31m"),
    ("\u{85}\u{9B}31m", #"\u0085\u009b31m"#, "  31m"), ("a\u{2028}b\u{2029}", #"a\u2028b\u2029"#, "a b "),
    ("\u{202A}\u{202E}evil\u{2066}\u{2069}", #"\u202a\u202eevil\u2066\u2069"#, "  evil  "),
    ("\u{E0041}", #"\udb40\udc41"#, " "), ("用户名 é 😀", "用户名 é 😀", "用户名 é 😀"),
  ])
  func `has characters that break a line or speak to a terminal by numbers in JSON, and as spaces in text`(
    text: String, shown: String, plain: String
  ) throws {
    let (json, objects) = logger(.json)
    json.info("\(text)", metadata: ["a\(text)": "\(text)", "b": [["\(text)": "\(text)"]]])
    #expect(
      objects() == [
        #"{"time":"2026-11-21T15:33:52.104Z","level":"info","message":"\#(shown)","a\#(shown)":"\#(shown)","#
          + #""b":[{"\#(shown)":"\#(shown)"}]}"#
      ])
    guard case .object(let members) = try JSONReader.read(Array(objects()[0].utf8)) else { return }
    #expect(members.first { $0.name == "message" }?.value == .string(text))
    let (texts, lines) = logger(.text)
    texts.info("\(text)")
    #expect(lines() == ["2026-11-21T15:33:52.104Z info \(plain)"])
    texts.info("x", metadata: ["a\(text)": "\(text)", "b": [["\(text)": "\(text)"]]])
    for scalar in lines()[1].unicodeScalars {
      #expect(!(0x7F...0x9F).contains(scalar.value) && scalar.value >= 0x20)
      #expect(!(0x2028...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value))
    }
  }

  @Test(arguments: [("", #""""#), ("a b", #""a b""#), ("a=b", #""a=b""#), (#"a"b"#, #""a\"b""#), ("a\nb", #""a b""#)])
  func `quotes a value that could be taken for more than one`(value: String, shown: String) {
    let (logger, lines) = logger(.text)
    logger.info("x", metadata: ["v": "\(value)"])
    #expect(lines() == ["2026-11-21T15:33:52.104Z info x v=\(shown)"])
  }

  @Test func `has nothing below its level`() {
    let (logger, lines) = logger(.text, level: .warning)
    logger.info("no")
    logger.warning("yes")
    #expect(lines().count == 1)
  }

  @Test(arguments: [
    (Int64(0), "1970-01-01T00:00:00.000Z"), (951_782_400_007, "2000-02-29T00:00:00.007Z"),
    (-1, "1969-12-31T23:59:59.999Z"), (4_102_444_799_999, "2099-12-31T23:59:59.999Z"),
  ])
  func `has its times in UTC, to the millisecond`(milliseconds: Int64, text: String) {
    #expect(LogTime(milliseconds: milliseconds).description == text)
  }
}
