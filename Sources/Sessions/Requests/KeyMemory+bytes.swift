// SPDX-License-Identifier: MIT
import Storing
import ViewModels

// The byte form of a KeyMemory, which is part of a session's record:
//
//   memory  = 1, count, text{count}, count, name{count}
//   text    = hash of the key (32 bytes), entry
//   name    = hash of the name (32 bytes), number, entry
//   entry   = digest (32 bytes), milliseconds since 1970, answer
//   answer  = 0 | 1, json, version | 2, form, body, 0 | 2, form, body, 1, version
//   version = epoch, revision
//
// Counts, numbers and texts are those of StoredBytesWriter. The bytes are valid if and only if they end there,
// each hash comes once, and each number is one that IdempotencyKey takes. Texts stand in the order of their
// answers, with those at work last. Names stand in the order of their bytes.

extension Moment {
  /// The milliseconds since 1970 of an instant.
  func milliseconds(_ instant: ContinuousClock.Instant) -> Int64 {
    max(0, milliseconds - Int64((self.instant - instant) / .milliseconds(1)))
  }

  fileprivate func stored(_ instant: ContinuousClock.Instant) -> UInt64 { UInt64(milliseconds(instant)) }

  /// The instant of a stored time. A time in the future becomes now, since the clock may have been set back.
  func restored(_ stored: UInt64) -> ContinuousClock.Instant {
    instant - .milliseconds(max(0, milliseconds - Int64(clamping: stored)))
  }
}

extension KeyMemory {
  /// The bytes in which the memory is stored. The same memory gives the same bytes.
  func encoded(at moment: Moment) -> [UInt8] {
    var writer = StoredBytesWriter()
    writer.byte(1)
    writer.number(UInt64(texts.count))
    // Texts at work have no place in the order yet.
    let working = texts.filter { $0.value.isAtWork }.keys.sorted(by: Digest.precedes)
    for text in order[head...] + working {
      guard let entry = texts[text] else { continue }
      writer.fixed(text.bytes)
      writer.entry(entry, moment)
    }
    writer.number(UInt64(names.count))
    for (name, counter) in names.sorted(by: { Digest.precedes($0.key, $1.key) }) {
      writer.fixed(name.bytes)
      writer.number(counter.number)
      writer.entry(counter.last, moment)
    }
    return writer.bytes
  }

  /// Reads a stored memory. If the limits are lower now, the keys and answers beyond them are forgotten as
  /// always.
  ///
  /// A request that was at work is only known to have been decided. Its work is gone.
  init(decoding bytes: [UInt8], limits: Limits, at moment: Moment) throws(StoredBytesError) {
    self.init(limits: limits)
    var reader = StoredBytesReader(bytes)
    guard try reader.byte("a byte form") == 1 else { throw StoredBytesError(expected: "byte form 1", offset: 0) }
    for _ in 0..<(try reader.number("the number of texts")) {
      let text = try reader.hash()
      guard texts[text] == nil else { throw reader.refuse("the hash of another key before") }
      restore(text, try reader.entry(moment))
    }
    var last: Digest?
    for _ in 0..<(try reader.number("the number of names")) {
      let name = try reader.hash()
      let number = try reader.number("a number")
      guard (1...UInt64(Int64.max)).contains(number) else { throw reader.refuse("a number of a key before") }
      if let last, !Digest.precedes(last, name) { throw reader.refuse("a later hash of a name before") }
      last = name
      restore(name, Counter(number: number, last: try reader.entry(moment)))
    }
    try reader.end()
  }
}

extension StoredBytesWriter {
  fileprivate mutating func entry(_ entry: KeyMemory.Decided, _ moment: Moment) {
    fixed(entry.digest.bytes)
    number(moment.stored(entry.time))
    switch entry.answer {
    case nil: byte(0)
    case .frame(let message):
      byte(1)
      counted(message.json)
      version(message.version)
    case .other(let form, let body, let version):
      byte(2)
      number(UInt64(form))
      counted(body)
      byte(version == nil ? 0 : 1)
      if let version { self.version(version) }
    }
  }

  private mutating func version(_ version: Version) {
    text(version.epoch)
    number(version.revision)
  }
}

extension StoredBytesReader {
  fileprivate mutating func hash() throws(StoredBytesError) -> Digest {
    guard let hash = Digest(bytes: try fixed(32, "a hash of a key")) else { throw refuse("a hash before") }
    return hash
  }

  fileprivate mutating func entry(_ moment: Moment) throws(StoredBytesError) -> KeyMemory.Decided {
    guard let digest = Digest(bytes: try fixed(32, "a digest")) else { throw refuse("a digest before") }
    let time = moment.restored(try number("a time"))
    return KeyMemory.Decided(digest: digest, answer: try answer(), isAtWork: false, time: time)
  }

  private mutating func answer() throws(StoredBytesError) -> KeptAnswer? {
    switch try byte("a kind of answer") {
    case 0: return nil
    case 1: return .frame(Message(json: Array(try counted("a frame")), version: try version()))
    case 2:
      guard let form = UInt16(exactly: try number("an answer's form")) else { throw refuse("a form before") }
      let body = Array(try counted("an answer's body"))
      switch try byte("whether an answer names a version") {
      case 0: return .other(form: form, body: body, version: nil)
      case 1: return .other(form: form, body: body, version: try version())
      default: throw refuse("0 or 1 before")
      }
    default: throw refuse("an answer of kind 0, 1 or 2 before")
    }
  }

  private mutating func version() throws(StoredBytesError) -> Version {
    let text = "\(try text("an epoch")).\(try number("a revision"))"
    guard let version = Version(text) else { throw refuse("a version before") }
    return version
  }
}
