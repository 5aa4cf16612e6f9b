// SPDX-License-Identifier: MIT
import JSONPatching
import ViewModels

extension Session {
  /// The present state: `{"model":…,"version":…,"state":…}`.
  ///
  /// - Throws: ``SessionError``, if the session has ended.
  public func snapshot() throws -> Message {
    try checkLiving()
    return document(url: nil)
  }

  /// The answer to opening: the snapshot, with the session's URL first.
  ///
  /// - Parameter token: the client's new key, if it is to be told by this answer.
  public func opened(url: String, token: String? = nil) -> Message { document(url: url, token: token) }

  func document(url: String?, token: String? = nil) -> Message {
    var writer = JSONWriter(capacity: 512)
    writer.beginObject()
    if let url {
      writer.key("url")
      writer.string(url)
    }
    if let token {
      writer.key("token")
      writer.string(token)
    }
    writer.key("model")
    writer.string(modelName)
    writer.key("version")
    writer.string(version.description)
    writer.key("state")
    model.writeState(to: &writer)
    writer.endObject()
    return Message(json: writer.bytes, version: version)
  }

  /// The JSON of one value.
  ///
  /// - Returns: `nil` if there is none at the path that may be read.
  /// - Throws: ``SessionError``, if the session has ended.
  public func value(_ path: [String]) throws -> Message? {
    try checkLiving()
    var writer = JSONWriter(capacity: 128)
    guard model.writeValue(at: path, to: &writer) else { return nil }
    return Message(json: writer.bytes, version: version)
  }

  /// The frame for a reader at `since`: a patch, or the state where that is shorter or nothing is known of `since`.
  ///
  /// - Parameter results: Those of the actions that the frame answers; `nil` for a frame that answers none.
  func frame(since: Version?, _ results: ActionResults? = nil) -> Message {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("from")
    if let since { writer.string(since.description) } else { writer.null() }
    writer.key("to")
    writer.string(version.description)
    let start = writer.mark
    if let since, since.epoch == epoch, since.revision <= revision {
      writer.key("patch")
      writer.beginArray()
      model.writePatch(since: since.revision, to: &writer)
      writer.endArray()
      writeStateIfShorter(from: start, to: &writer)
    } else {
      writer.key("state")
      model.writeState(to: &writer)
    }
    results?.write(to: &writer)
    writer.endObject()
    return Message(json: writer.bytes, version: version)
  }

  /// The JSON of the last result of the command at a path; `null` if there is none.
  func result(at path: [String]) -> [UInt8] {
    var writer = JSONWriter(capacity: 64)
    if !model.writeResult(at: path, to: &writer) { writer.null() }
    return writer.bytes
  }

  /// Writes the state in place of the patch that was written after `start`, if it is shorter.
  private func writeStateIfShorter(from start: JSONWriter.Mark, to writer: inout JSONWriter) {
    // The two names are of one length.
    guard writer.mark.length - start.length > model.stateLength + #","patch":"#.utf8.count else { return }
    _ = writer.cut(from: start)
    writer.key("state")
    model.writeState(to: &writer)
  }
}
