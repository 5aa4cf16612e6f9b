// SPDX-License-Identifier: MIT
import ObservableCore

/// Files that clients of the session may fetch.
extension SessionContext {
  /// Offers a file to the clients of the session. It is at its ``FileOffer/url`` once the action, or the step of a command,
  /// is stored, until it is withdrawn or the session ends, also over a restart where the server's directory of files
  /// stays (`--uploads`, or beside a store in a file). If the action fails, it is not offered.
  ///
  /// ```swift
  /// func export() throws {
  ///   let table = try context.offer(CSV.bytes(rows), named: "May.csv")
  ///   try context.go(to: table.url)
  /// }
  /// ```
  ///
  /// A browser keeps the file, and shows nothing of it. Its media type is known by the end of its name. The session waits until
  /// the bytes are on the disk, and so does the database in an action that has a transaction of it: offer a large file from a
  /// command, or by ``offer(fileAt:named:isOnce:)``. The bytes count for the server's room for files (`--max-uploads`, of which
  /// such files get a half), until the withdrawal of a file is stored.
  ///
  /// - Parameters:
  ///   - name: the name under which a client keeps it, in any language. Of one with slashes it is the last part, without
  ///     control characters and with 255 bytes at most.
  ///   - isOnce: whether the first request that gets the file is the last. If that breaks off, or a proxy repeats it, the file
  ///     has to be offered again. The view model is not told that it was given. Where a hundred files are offered, the oldest
  ///     of this kind goes.
  /// - Throws: ``FileFault`` if there is no room for it, a hundred files are offered, or the view model is still being made.
  public func offer(_ bytes: [UInt8], named name: String, isOnce: Bool = false) throws -> FileOffer {
    guard let spool, canOffer else { throw Self.cannotOffer }
    let offered = OfferedFile(
      key: SpooledFile.newName(), name: Self.shown(name), size: bytes.count, place: .spool, isOnce: isOnce)
    let file = SpooledFile(session: session, offer: offered.key)
    return try offer(offered) {
      try spool.keep(bytes, as: file)
      return FileDeed(undo: { spool.remove(file) }, commit: {})
    }
  }

  /// Offers a file of the app's, which stays where it is, as ``offer(_:named:isOnce:)`` does. Whoever fetches it gets the
  /// bytes that it has then. If it is offered already, under this name and not once, this gives the same address again.
  ///
  /// - Parameters:
  ///   - path: the path of a file. At several servers each has to find it there. A text from a client must be no part of it, but for
  ///     the ``Upload/key`` of a file, which has no slash.
  ///   - name: the name under which a client keeps it; by default the last part of the path.
  ///   - isOnce: whether the first request that gets the file is the last.
  /// - Throws: ``FileFault`` if there is no file at the path, a hundred files are offered, or the view model is still being
  ///   made.
  public func offer(fileAt path: String, named name: String? = nil, isOnce: Bool = false) throws -> FileOffer {
    guard let spool, canOffer else { throw Self.cannotOffer }
    guard let size = spool.size(at: path) else {
      throw FileFault("there is no file at '\(path)'; expected one that can be read")
    }
    let name = Self.shown(name ?? path)
    if !isOnce, let lent = offered.lent(path, as: name) { return FileOffer(url: url(of: lent), name: name, size: size) }
    let file = OfferedFile(key: SpooledFile.newName(), name: name, size: size, place: .path(path), isOnce: isOnce)
    return try offer(file) { .nothing }
  }

  /// The files that are offered, the one first that came first. A file that is given once leaves the list as it is given.
  public var offers: [FileOffer] { offered.all.map(shown) }

  /// Takes a file back. A client that is getting it gets it whole; later requests find nothing. It does nothing for one that
  /// is not offered.
  public func withdraw(_ offer: FileOffer) throws {
    guard let file = offered.all.first(where: { url(of: $0) == offer.url }) else { return }
    try withdraw(file)
  }

  package func withdraw(_ file: OfferedFile) throws {
    guard offered[file.key] != nil, let spool else { return }
    var left = offered
    left.remove(file.key)
    try set(left)
    guard case .spool = file.place else { return add(.nothing) }
    let spooled = SpooledFile(session: session, offer: file.key)
    add(FileDeed(undo: {}, commit: { spool.remove(spooled) }))
  }

  private var canOffer: Bool { didHandleFiles != nil }

  /// The files that are offered.
  package var offered: OfferedFiles { givenOffers?.value ?? OfferedFiles() }

  /// - Parameter keep: keeps the bytes, and gives the deed by which that is undone.
  private func offer(_ file: OfferedFile, keep: () throws -> FileDeed) throws -> FileOffer {
    if offered.all.count >= OfferedFiles.most {
      // One that is given once may never be fetched.
      if let unfetched = offered.all.first(where: \.isOnce) {
        try withdraw(unfetched)
        return try offer(file, keep: keep)
      }
      throw FileFault(
        "the session offers \(OfferedFiles.most) files, which is the limit; expected one to be withdrawn first")
    }
    add(try keep())
    var files = offered
    files.add(file)
    try set(files)
    return shown(file)
  }

  private func set(_ files: OfferedFiles) throws {
    let offers = givenOffers ?? Observable(OfferedFiles(), name: "offers")
    givenOffers = offers
    try offers.set(files)
  }

  private func shown(_ file: OfferedFile) -> FileOffer {
    FileOffer(url: url(of: file), name: file.name, size: file.size)
  }

  private func url(of file: OfferedFile) -> String {
    "/sessions/\(PercentCoding.encoded(model))/\(session)/downloads/\(file.key)"
  }

  private static func shown(_ name: String) -> String {
    let cleaned = FileName.cleaned(name)
    return cleaned.isEmpty ? "file" : cleaned
  }

  private static let cannotOffer = FileFault(
    "a file was offered where no session is; expected an action or a command to do so, not the view model's 'init'")
}
