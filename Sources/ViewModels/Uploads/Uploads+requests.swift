// SPDX-License-Identifier: MIT
import ObservableCore

/// A file as the client that sends it declares it.
package struct UploadDeclaration: Sendable {
  package let name: String
  /// A media type without parameters, in lower case.
  package let type: String
  /// Its bytes; `nil` while the client does not know them.
  package let size: Int?
  /// Whether the request has none of them, and does not end the file.
  let isAlone: Bool

  package init(name: String, type: String, size: Int?, isAlone: Bool) {
    (self.name, self.type, self.size, self.isAlone) = (FileName.cleaned(name), type, size, isAlone)
  }
}

/// The facts that a request needs of a file in an ``Uploads``.
package struct UploadSlot: Sendable {
  package let key: String
  package let file: SpooledFile
  package let name: String
  package let type: String
  /// Its bytes; `nil` while they are not known.
  package let size: Int?
  /// The most bytes that it may have.
  package let most: Int
  package let isReady: Bool
  /// The bytes that have come.
  package let received: Int
  /// The app's store, to which the client sends it; `nil` if it comes to the server.
  package let store: (any UploadStore)?
}

/// The steps of requests, each in the session's turn.
extension Uploads {
  /// Makes room for a file under a key. One that goes to the app's store takes none here. The same file may have been declared before, and is found.
  ///
  /// - Parameters:
  ///   - isAnew: whether a file under the key is sent from its beginning again.
  ///   - reserve: takes room for it, of so many bytes, in place of another file if there is one, or says why there is none.
  package func open(
    _ key: String, _ declared: UploadDeclaration, isAnew: Bool,
    reserve: (SpooledFile, _ bytes: Int, _ replaced: SpooledFile?) -> String?
  ) throws(UploadRefusal) -> UploadSlot {
    guard Self.isKey(key) else { throw .invalidKey }
    if taken.contains(key) { throw .taken }
    if store != nil, !declared.isAlone { throw .elsewhere }
    if store != nil, declared.size == nil { throw .noLength }
    guard types.take(declared.type) else { throw .wrongType(name: declared.name, expected: types.words) }
    if let size = declared.size, size > each.bytes { throw .tooLarge(name: declared.name, limit: each) }
    let known = files[key]
    if let known, !isAnew {
      guard known.name == declared.name, known.type == declared.type,
        declared.size == nil || known.size == declared.size
      else { throw .other }
      return try slot(key)
    }
    if known == nil, files.count >= most { throw .tooMany(limit: most) }
    let file = SpooledFile(session: context.session, name: SpooledFile.newName())
    if store == nil {
      guard let spool = context.spool else { throw .noSpool }
      if let reason = reserve(file, declared.size ?? each.bytes, known.map(spooled)) { throw .noRoom(reason) }
      context.add(FileDeed(undo: { spool.remove(file) }, commit: {}))
    }
    let upload = known ?? Upload(key, of: self)
    if known != nil { drop(upload) }
    (upload.name, upload.type, upload.size, upload.file) = (declared.name, declared.type, declared.size, file.name)
    (upload.received, upload.isReady, upload.error) = (0, false, nil)
    if known == nil { files.append(upload, key: key) }
    return try slot(key)
  }

  /// The file under a key, as far as it has come.
  package func slot(_ key: String) throws(UploadRefusal) -> UploadSlot {
    guard let upload = files[key] else { throw taken.contains(key) ? .taken : .unknown }
    if let error = upload.error { throw .refused(error) }
    let present = store == nil ? context.spool?.size(of: spooled(upload)) ?? 0 : upload.received
    // Another server had it, or nobody has taken it in time.
    if upload.isReady, present != upload.size { (upload.isReady, upload.received) = (false, present) }
    return UploadSlot(
      key: key, file: spooled(upload), name: upload.name, type: upload.type, size: upload.size,
      most: upload.size ?? each.bytes, isReady: upload.isReady, received: present, store: store)
  }

  /// Notes how far a file has come.
  package func note(_ slot: UploadSlot, received: Int) {
    if let upload = living(slot), !upload.isReady { upload.received = received }
  }

  /// Notes that a file is there as a whole.
  package func finish(_ slot: UploadSlot, size: Int) throws(UploadRefusal) {
    guard let upload = living(slot) else { throw taken.contains(slot.key) ? .taken : .unknown }
    (upload.size, upload.received, upload.isReady) = (size, size, true)
  }

  /// Notes that what came of a file is not taken, and drops it.
  package func refuse(_ slot: UploadSlot, _ reason: String) {
    guard let upload = living(slot), !upload.isReady else { return }
    drop(upload)
    (upload.error, upload.received, upload.file) = (reason, 0, "")
  }

  /// Takes a file from the list on behalf of a client.
  package func remove(_ key: String) throws(UploadRefusal) {
    guard let upload = files[key] else { throw taken.contains(key) ? .taken : .unknown }
    discard(upload)
  }

  /// Notes that nobody has taken a file in the time for which it is kept.
  func expire(_ file: SpooledFile) {
    for upload in files.rows where upload.file == file.name {
      (upload.error, upload.received, upload.isReady, upload.file) = (Self.expired, 0, false, "")
    }
  }

  /// Looks after a restart which files are still there: the server before may have had its own directory, and a file may have
  /// been dropped while the session was in the store alone. O(files), and a look at the disk for each that is ready.
  func lookForFiles() {
    if store != nil || context.spool == nil { return }
    for upload in files.rows where upload.isReady { _ = try? slot(upload.key) }
  }

  private static let expired = "It was kept for an hour, and nobody has taken it. Please send it again."

  /// The row of a slot, unless it has been sent anew since.
  private func living(_ slot: UploadSlot) -> Upload? {
    files[slot.key].flatMap { $0.file == slot.file.name ? $0 : nil }
  }

  /// Whether a text can be a key: 1 to 100 bytes that can stand in a path, without control characters.
  package static func isKey(_ text: String) -> Bool {
    (1...100).contains(text.utf8.count) && text != "." && text != ".."
      && text.unicodeScalars.allSatisfy { $0 != "/" && $0 != "\\" && !FileName.isControl($0) }
  }
}
