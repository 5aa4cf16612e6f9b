// SPDX-License-Identifier: MIT
import JSONPatching
public import ObservableCore

/// A file that a client sends, or has sent: a row of ``Uploads``.
public final class Upload: ViewModel {
  /// Its key in the list, by which the client names it. It has no slash, and is neither `.` nor `..`.
  public let key: String
  /// The name that the file has at the client, for people. It has no slash. Do not make a path of it: other clients may have
  /// files of the same name.
  @Observed public internal(set) var name = ""
  /// Its bytes; `nil` while they are not known.
  @Observed public internal(set) var size: Int?
  /// Its media type, without parameters. It was compared with the first bytes, except in an ``UploadStore``.
  @Observed public internal(set) var type = ""
  /// The bytes that have come, told twice a second at most; of a file that goes to an ``UploadStore`` those of which the client
  /// has said so.
  @Observed public internal(set) var received = 0
  /// Whether it is there as a whole.
  @Observed public internal(set) var isReady = false
  /// The reason for which it was not taken; `nil` for none.
  @Observed public internal(set) var error: String?
  /// Its name in the ``UploadStore``, as ``DeclaredUpload/storedName``; `nil` until it is there as a whole, and for files that
  /// come to the server.
  public var storedName: String? { isReady && uploads?.store != nil ? file : nil }
  /// Its name in the spool, or in the app's store.
  @Observed var file = ""
  private weak var uploads: Uploads?

  init(_ key: String, of uploads: Uploads) { (self.key, self.uploads) = (key, uploads) }

  /// All its bytes. The session waits for the disk: for large files use ``move(to:)``.
  ///
  /// - Throws: ``UploadNotReady``; ``FileFault``.
  public func read() throws -> [UInt8] {
    let (_, spool, file) = try whole()
    return try spool.read(file)
  }

  /// Moves it to a path of the app's, and takes it from the list, once the action is stored. If the action fails, it is not
  /// there, and the list has it still. O(1) on one file system, and O(bytes) to another.
  ///
  /// After a kill in the middle the action can be done again. It finds its own file at the path, if that is the same path,
  /// and takes it for done. If that repetition fails, the file stays there.
  ///
  /// - Parameter path: a path in a directory that is there, with no other file at it. The session's id with the ``key`` makes
  ///   one that is the same each time.
  /// - Throws: ``UploadNotReady``; ``FileFault``.
  public func move(to path: String) throws {
    let (uploads, spool, file) = try whole()
    let isNew = try spool.link(file, to: path)
    // Another server may have the session when it is undone, and have taken the same file: its copy must stay then.
    let undo: @Sendable () -> Void = { if isNew, spool.size(of: file) != nil { spool.unlink(path) } }
    uploads.take(self, as: FileDeed(undo: undo, commit: { spool.remove(file) }))
  }

  /// Takes it from the list, and leaves its bytes in the ``UploadStore``, where they are the app's from now on. If the action
  /// fails, the list has it still.
  ///
  /// - Returns: its ``storedName``.
  /// - Throws: ``UploadNotReady``; ``FileFault`` for a file that came to the server.
  public func take() throws -> String {
    let uploads = try present()
    if uploads.store == nil { throw FileFault("the file '\(name)' is at this server; expected read() or move(to:)") }
    uploads.take(self, as: .nothing)
    return file
  }

  /// Takes it from the list, and drops its bytes at the server once the action is stored. A client may ask for it too.
  public func discard() { uploads?.discard(self) }

  private func whole() throws -> (Uploads, any FileSpool, SpooledFile) {
    let uploads = try present()
    if uploads.store != nil { throw FileFault("the file '\(name)' is in the app's store; expected take()") }
    guard let spool = uploads.context.spool else { throw UploadNotReady(name: name) }
    return (uploads, spool, uploads.spooled(self))
  }

  private func present() throws(UploadNotReady) -> Uploads {
    guard isReady, let uploads else { throw UploadNotReady(name: name) }
    return uploads
  }

  public static let surface = Surface<Upload>(
    "upload", about: "A file that is being sent, or was. Its bytes go to `uploads` of the session.",
    .value("name", \.$name), .value("size", \.$size), .value("type", \.$type), .value("received", \.$received),
    .value("ready", \.$isReady), .value("error", \.$error), .stored("file", \.$file),
    .action("discard", Upload.discard))
}

/// An upload was to be read or moved that has not come as a whole.
public struct UploadNotReady: Error, CustomStringConvertible {
  let name: String

  public var description: String {
    "the file '\(name)' is not there as a whole; expected one of 'ready', which has those that are"
  }
}
