// SPDX-License-Identifier: MIT
import Locking

/// The recordings on disk, for all sessions of a server: `store.json`, and a file for each recording.
///
/// An actor, since writing may take a while: an action starts it and does not wait, but its answer does
/// (`all(recordings:)`). A change is on disk before anybody sees it, and one that fails has changed nothing. A file
/// that cannot be understood is reported and left as it is, and then nothing is written at all (S3-R8).
public actor RecordingStore {
  static let file = "store.json"

  /// A change of a library.
  enum Change: Sendable {
    /// Adds a recording, or without a length a folder.
    case add(String, length: Double?, to: String)
    case rename(String, to: String)
    case delete(String)
  }

  private struct Shared {
    var library: Library
    var followers: [UInt64: AsyncStream<Library>.Continuation] = [:]
    var lastFollower: UInt64 = 0
  }

  private nonisolated let shared: Locked<Shared>
  /// The reason why the store cannot be used, if it cannot.
  nonisolated let unusable: RecordingsError?
  private let directory: StoreDirectory
  private let log: @Sendable (String) -> Void
  /// The file that was read or written last; `nil` while there is none.
  private var known: StoreDirectory.Identity?

  /// Reads the store. Nothing is written, and the directory is not made, before the first change.
  ///
  /// - Parameter log: gets a line where something is wrong with the store.
  public init(directory path: String, log: @escaping @Sendable (String) -> Void) {
    let directory = StoreDirectory(path: path)
    self.directory = directory
    self.log = log
    let read = Result { () throws(RecordingsError) in try Self.read(directory) }
    shared = Locked(Shared(library: (try? read.get().library) ?? Library()))
    known = try? read.get().known
    if case .failure(let error) = read {
      unusable = error
      log("recordings in '\(path)': \(error)")
    } else {
      unusable = nil
    }
  }

  private static func read(
    _ directory: StoreDirectory
  ) throws(RecordingsError) -> (library: Library, known: StoreDirectory.Identity?) {
    let known = try directory.identity(of: file)
    guard let bytes = try directory.read(file) else { return (Library(), nil) }
    do { return (try Library(json: bytes), known) } catch { throw .corrupt(file: file, "\(error)") }
  }

  // MARK: What it holds

  nonisolated var library: Library { shared.withLock { $0.library } }

  /// The listeners, which are told of the changes that others make.
  struct Follower: Sendable {
    fileprivate let number: UInt64
    /// The library after each such change; a slow reader gets the newest.
    let libraries: AsyncStream<Library>
  }

  nonisolated func follow() -> Follower {
    let (stream, continuation) = AsyncStream<Library>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = shared.withLock { shared in
      shared.lastFollower += 1
      shared.followers[shared.lastFollower] = continuation
      return shared.lastFollower
    }
    continuation.onTermination = { [shared] _ in shared.withLock { _ = $0.followers.removeValue(forKey: number) } }
    return Follower(number: number, libraries: stream)
  }

  nonisolated var followerCount: Int { shared.withLock { $0.followers.count } }

  // MARK: Changing it

  /// Makes a change, on disk and then for all followers but its author.
  ///
  /// - Returns: the library after it, for the author.
  func apply(_ change: Change, by author: Follower) throws -> Library {
    do { return try attempt(change, by: author) } catch {
      if error.isOfTheStore { report(error) }
      throw error
    }
  }

  /// Tells an author of a change that the others were told of, if the author gave up on it before it was made.
  nonisolated func remind(_ author: Follower) {
    let (library, continuation) = shared.withLock { ($0.library, $0.followers[author.number]) }
    continuation?.yield(library)
  }

  private func attempt(_ change: Change, by author: Follower) throws(RecordingsError) -> Library {
    if let unusable { throw unusable }
    // Before anything is written: another program's recordings have files of the same names.
    try checkIsKnown()
    var library = library
    var removed: [LibraryItem] = []
    switch change {
    case .add(let name, let length, let parent):
      let item = try library.add(name, length: length, to: parent)
      // The recording's file is written first, so that there is never a recording without one.
      if let length { try directory.write(Array("\(length) s of silence\n".utf8), to: Self.file(of: item)) }
    case .rename(let id, let name): try library.rename(id, to: name)
    case .delete(let id): removed = try library.remove(id)
    }
    try write(library)
    tell(library, but: author)
    for item in removed where !item.isFolder {
      // It is deleted already, so this is no reason to say that nothing was changed.
      do { try directory.remove(Self.file(of: item)) } catch { report(error) }
    }
    return library
  }

  private func report(_ error: RecordingsError) { log("recordings in '\(directory.path)': \(error)") }

  private func checkIsKnown() throws(RecordingsError) {
    guard try directory.identity(of: Self.file) == known else { throw .changedElsewhere(file: Self.file) }
  }

  private func write(_ library: Library) throws(RecordingsError) {
    try checkIsKnown()
    try directory.write(library.json, to: Self.file)
    known = try directory.identity(of: Self.file)
  }

  private func tell(_ library: Library, but author: Follower) {
    let followers = shared.withLock { shared in
      shared.library = library
      return shared.followers.filter { $0.key != author.number }.values
    }
    for follower in followers { follower.yield(library) }
  }

  static func file(of recording: LibraryItem) -> String { "\(recording.id).recording" }
}
