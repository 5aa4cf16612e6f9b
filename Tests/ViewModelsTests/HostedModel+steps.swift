// SPDX-License-Identifier: MIT
import JSONPatching
import ViewModels

/// A view model as a session hosts it, without a session.
func hosted<Model: ViewModel>(_ make: @escaping @Sendable () throws -> Model) throws -> any HostedModel {
  try HostedModelType.hosting(make).make(for: "a session")
}

/// The sentence of the error that a body throws; `nil` if it throws none.
func refusal(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch { return "\(error)" }
}

extension Change {
  /// Changes by the path in a URL, whose parts have a slash between them.
  static func perform(_ path: String, _ value: JSON? = nil) -> Change { .perform(tokens(path), value) }
  static func set(_ path: String, _ value: JSON) -> Change { .set(tokens(path), value) }
  static func cancel(_ path: String) -> Change { .cancel(tokens(path)) }

  private static func tokens(_ path: String) -> [String] { JSONPointer("/" + path)?.tokens ?? [path] }
}

extension HostedModel {
  func perform(_ path: String, _ value: JSON? = nil) throws { try apply(.perform(path, value)) }
  func set(_ path: String, _ value: JSON) throws { try apply(.set(path, value)) }

  /// The state as of the last stamp.
  var state: JSON { get throws { try JSONReader.read(stateText) } }

  var stateText: [UInt8] {
    var writer = JSONWriter()
    writeState(to: &writer)
    return writer.bytes
  }

  /// The state as it is now.
  var shown: JSON {
    get throws {
      _ = stamp(1)
      return try state
    }
  }

  var storedText: String {
    var writer = JSONWriter()
    writeStored(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  func patch(since revision: UInt64) throws -> JSON {
    var writer = JSONWriter()
    writer.beginArray()
    writePatch(since: revision, to: &writer)
    writer.endArray()
    return try JSONReader.read(writer.bytes)
  }
}
