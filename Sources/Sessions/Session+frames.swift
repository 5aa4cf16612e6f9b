// SPDX-License-Identifier: MIT
import JSONPatching
import ViewModels

extension Session {
  /// The present state: `{"model":…,"version":…,"state":…}`.
  ///
  /// - Throws: ``SessionError/closed``.
  public func snapshot() throws -> Message {
    if isClosed { throw SessionError.closed }
    return document(url: nil)
  }

  /// The answer to opening: the snapshot, with the session's URL first.
  public func opened(url: String) -> Message { document(url: url) }

  func document(url: String?) -> Message {
    var writer = JSONWriter(capacity: 512)
    writer.beginObject()
    if let url {
      writer.key("url")
      writer.string(url)
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
  /// - Throws: ``SessionError/closed``, or `SurfaceError` for a name that cannot be read.
  public func value(_ name: String) throws -> Message {
    if isClosed { throw SessionError.closed }
    let output = try model.readableOutput(name)
    var writer = JSONWriter(capacity: 128)
    model.write(output, to: &writer)
    return Message(json: writer.bytes, version: version)
  }

  /// What a reader at `since` lacks: a patch, or the state where that is shorter or nothing is known of `since`.
  ///
  /// - Parameter result: whether the frame answers an action and so carries its result.
  func frame(since: Version?, result: Bool = false) -> Message {
    let isKnown = since.map { $0.epoch == epoch && $0.revision <= revision } ?? false
    let now = version
    guard isKnown, let since else {
      return Message(json: frame(from: since, to: now, "state", stateJSON(), result), version: now)
    }
    let patch = patchJSON(since: since.revision)
    let smallest = "[]".utf8.count
    if patch.count > smallest {
      let state = stateJSON()
      if patch.count > state.count {
        return Message(json: frame(from: since, to: now, "state", state, result), version: now)
      }
    }
    return Message(json: frame(from: since, to: now, "patch", patch, result), version: now)
  }

  private func frame(from: Version?, to: Version, _ kind: String, _ body: [UInt8], _ result: Bool) -> [UInt8] {
    var writer = JSONWriter(capacity: body.count + 96)
    writer.beginObject()
    writer.key("from")
    if let from { writer.string(from.description) } else { writer.null() }
    writer.key("to")
    writer.string(to.description)
    writer.key(kind)
    writer.raw(body)
    if result {
      // An observer's action has none; a command's will.
      writer.key("result")
      writer.null()
    }
    writer.endObject()
    return writer.bytes
  }

  private func stateJSON() -> [UInt8] {
    var writer = JSONWriter(capacity: 512)
    model.writeState(to: &writer)
    return writer.bytes
  }

  /// The patch from revision `since` to now (RFC 6902; §6).
  private func patchJSON(since: UInt64) -> [UInt8] {
    var writer = JSONWriter(capacity: 256)
    writer.beginArray()
    for output in changedAt.indices where changedAt[output] > since {
      let isKnownPresent = changedBefore[output] <= since
      if model.isPresent(output) {
        // `add` replaces too (RFC 6902 §4.1), so it is right whether or not the reader has the member.
        let canBeAbsent = model.canBeAbsent(output)
        writeOperation(canBeAbsent ? "add" : "replace", output, to: &writer)
      } else {
        // Absent now, so present just before the last change; a reader from further back may have either.
        if !isKnownPresent { writeOperation("add", output, to: &writer) }
        writeOperation("remove", output, to: &writer)
      }
    }
    writer.endArray()
    return writer.bytes
  }

  private func writeOperation(_ operation: String, _ output: Int, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("op")
    writer.string(operation)
    writer.key("path")
    writer.string(model.outputPaths[output])
    if operation != "remove" {
      writer.key("value")
      if model.isPresent(output) { model.write(output, to: &writer) } else { writer.null() }
    }
    writer.endObject()
  }
}
