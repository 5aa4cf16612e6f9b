// SPDX-License-Identifier: MIT
import JSONPatching

/// The results of actions, for the frame that answers them.
struct ActionResults {
  struct Part {
    /// The action's path; `nil` for a change that has no result.
    let path: [String]?
    /// The action's own run, until that is over. The action may have started other runs too.
    var run: UInt64?
    /// The JSON of the result.
    var result: [UInt8]

    static let none = Array("null".utf8)

    init(path: [String]?, run: UInt64? = nil, result: [UInt8] = Self.none) {
      self.path = path
      self.run = run
      self.result = result
    }

    /// The part of an action that is over.
    fileprivate init(_ result: JSON) {
      var writer = JSONWriter()
      writer.json(result)
      self.init(path: nil, result: writer.bytes)
    }
  }

  /// Whether the frame has a list of results.
  let isList: Bool
  /// Whether one of the changes has set the address.
  var answersAddress = false
  /// Whether the frame leaves out what has changed.
  var isMinimal = false
  /// The page to which the client is sent; `nil` for none.
  var location: String?
  var parts: [Part]

  init(isList: Bool, parts: [Part]) {
    self.isList = isList
    self.parts = parts
  }

  /// The results in a kept frame; `nil` if it has none.
  init?(of message: Message) {
    // This server wrote the frame, so the limits on clients' texts do not apply.
    guard let frame = try? JSONReader.read(message.json, limits: .init(depth: 512, nodes: .max)) else { return nil }
    if case .array(let results)? = frame["results"] {
      self.init(isList: true, parts: results.map { Part($0) })
    } else if let result = frame["result"] {
      self.init(isList: false, parts: [Part(result)])
    } else {
      return nil
    }
    if case .string(let location)? = frame["location"] { self.location = location }
    isMinimal = frame["patch"] == nil && frame["state"] == nil
  }

  func write(to writer: inout JSONWriter) {
    if let location {
      writer.key("location")
      writer.string(location)
    }
    guard isList else {
      writer.key("result")
      return writer.raw(parts.first?.result ?? Part.none)
    }
    writer.key("results")
    writer.beginArray()
    for part in parts { writer.raw(part.result) }
    writer.endArray()
  }
}
