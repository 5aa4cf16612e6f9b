// SPDX-License-Identifier: MIT
import JSONPatching
import ViewModels

extension Session {
  /// The present state: `{"model":…,"version":…,"state":…}`, and `"address"` if the view model has one.
  ///
  /// - Throws: ``SessionError``, if the session has ended.
  package func snapshot() throws -> Message {
    try checkLiving()
    return document(url: nil)
  }

  /// The answer to opening: the snapshot, with the session's URL first.
  ///
  /// - Parameter token: the client's new key, if this answer is to tell it.
  package func opened(url: String, token: String? = nil) -> Message { document(url: url, token: token) }

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
    writeAddress(to: &writer)
    writer.endObject()
    return Message(json: writer.bytes, version: version)
  }

  /// The address, as JSON.
  ///
  /// - Returns: `nil` for a view model that has none.
  /// - Throws: ``SessionError``, if the session has ended.
  package func address() throws -> Message? {
    try checkLiving()
    guard let address = model.address else { return nil }
    var writer = JSONWriter(capacity: 128)
    writer.string(address)
    return Message(json: writer.bytes, version: version)
  }

  /// The JSON of one value.
  ///
  /// - Returns: `nil` if the path leads to no value that may be read.
  /// - Throws: ``SessionError``, if the session has ended.
  package func value(_ path: [String]) throws -> Message? {
    try checkLiving()
    var writer = JSONWriter(capacity: 128)
    guard model.writeValue(at: path, to: &writer) else { return nil }
    return Message(json: writer.bytes, version: version)
  }

  /// The frame for a reader at `since`. It is a patch, or the state if that is shorter or if `since` is not
  /// known.
  ///
  /// - Parameter results: the results of the actions that the frame answers; `nil` for a frame that answers
  ///   none.
  func frame(since: Version?, _ results: ActionResults? = nil) -> Message {
    if let results, results.isMinimal { return minimalFrame(results) }
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("from")
    if let since { writer.string(since.description) } else { writer.null() }
    writer.key("to")
    writer.string(version.description)
    let start = writer.mark
    let isKnown = if let since { since.epoch == epoch && since.revision <= revision } else { false }
    var isState = !isKnown
    if let since, isKnown {
      writer.key("patch")
      writer.beginArray()
      model.writePatch(since: since.revision, to: &writer)
      writer.endArray()
      isState = writeStateIfShorter(from: start, to: &writer)
    } else {
      writer.key("state")
      model.writeState(to: &writer)
    }
    writeAddress(since: isKnown ? since : nil, isState: isState, results, to: &writer)
    results?.write(to: &writer)
    writer.endObject()
    return Message(json: writer.bytes, version: version)
  }

  /// The frame that names the version and the results, and not what has changed.
  private func minimalFrame(_ results: ActionResults) -> Message {
    var writer = JSONWriter(capacity: 128)
    writer.beginObject()
    writer.key("to")
    writer.string(version.description)
    if results.answersAddress { writeAddress(to: &writer) }
    results.write(to: &writer)
    writer.endObject()
    return Message(json: writer.bytes, version: version)
  }

  /// The JSON of the last result of the command at a path; `null` if it has no result.
  func result(at path: [String]) -> [UInt8] {
    var writer = JSONWriter(capacity: 64)
    if !model.writeResult(at: path, to: &writer) { writer.null() }
    return writer.bytes
  }

  /// Replaces the patch that was written after `start` by the state, if the state is shorter.
  ///
  /// - Returns: whether the state was shorter.
  private func writeStateIfShorter(from start: JSONWriter.Mark, to writer: inout JSONWriter) -> Bool {
    // The names "patch" and "state" have the same length.
    guard writer.mark.length - start.length > model.stateLength + #","patch":"#.utf8.count else { return false }
    _ = writer.cut(from: start)
    writer.key("state")
    model.writeState(to: &writer)
    return true
  }

  /// Writes the address for a reader at `since`: with every state, after every change, and always to a client
  /// that has set it. The address that such a client asked for may have led to another one.
  ///
  /// - Parameter since: `nil` for a reader of which nothing is known. It has no history that the address could
  ///   be added to.
  private func writeAddress(
    since: Version?, isState: Bool, _ results: ActionResults?, to writer: inout JSONWriter
  ) {
    let isAnswer = results?.answersAddress == true
    let change = since.flatMap { model.addressChange(since: $0.revision) }
    guard isState || isAnswer || change != nil else { return }
    writeAddress(to: &writer)
    // A client that has set an address has it in its history already.
    guard since != nil, isAnswer || change == .replace else { return }
    writer.key("history")
    writer.string("replace")
  }

  private func writeAddress(to writer: inout JSONWriter) {
    guard let address = model.address else { return }
    writer.key("address")
    writer.string(address)
  }
}
