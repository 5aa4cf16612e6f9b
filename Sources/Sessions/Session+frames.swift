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
    if let since, since.epoch == epoch, since.revision <= revision {
      var length = 0
      let patch = frame(from: since, result) { writer in
        let start = writer.bytes.count
        writePatch(since: since.revision, to: &writer)
        length = writer.bytes.count - start
      }
      if length <= model.leastStateLength || length <= stateLength() { return patch }
    }
    return frame(from: since, result) { writer in
      writer.key("state")
      model.writeState(to: &writer)
    }
  }

  private func frame(from: Version?, _ result: Bool, _ content: (inout JSONWriter) -> Void) -> Message {
    var writer = JSONWriter(capacity: 384)
    writer.beginObject()
    writer.key("from")
    if let from { writer.string(from.description) } else { writer.null() }
    writer.key("to")
    writer.string(version.description)
    content(&writer)
    if result {
      // An observer's action has none; a command's will.
      writer.key("result")
      writer.null()
    }
    writer.endObject()
    return Message(json: writer.bytes, version: version)
  }

  private func stateLength() -> Int {
    var writer = JSONWriter(capacity: 512)
    model.writeState(to: &writer)
    return writer.bytes.count
  }

  /// The patch from revision `since` to now (RFC 6902; §6).
  private func writePatch(since: UInt64, to writer: inout JSONWriter) {
    writer.key("patch")
    writer.beginArray()
    for output in changedAt.indices where changedAt[output] > since {
      let label = model.labels[output]
      if !label.canBeAbsent {
        writer.rawPrefix(label.replacing)
        model.write(output, to: &writer)
        writer.rawSuffix("}")
      } else if model.isPresent(output) {
        // `add` replaces too, so it is right whether or not the reader has the member.
        writer.rawPrefix(label.adding)
        model.write(output, to: &writer)
        writer.rawSuffix("}")
      } else {
        // Absent now, so present just before the last change; a reader from further back may have either.
        if changedBefore[output] > since {
          writer.rawPrefix(label.adding)
          writer.null()
          writer.rawSuffix("}")
        }
        writer.raw(label.removal)
      }
    }
    writer.endArray()
  }
}
