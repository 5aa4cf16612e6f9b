// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// Files that clients send to a view model.
///
/// ```swift
/// final class Album: ViewModel {
///   let photos: Uploads
///   private let context: SessionContext
///
///   init(_ context: SessionContext) {
///     self.context = context
///     photos = Uploads(context, most: 3, each: .megabytes(20), types: .images)
///   }
///
///   func save() throws {
///     for photo in photos.ready { try photo.move(to: "/var/lib/album/\(context.session)-\(photo.key)") }
///   }
///
///   static let surface = Surface<Album>("album", .uploads("photos", \.photos), .action("save", Album.save))
/// }
/// ```
///
/// The state shows each file with its progress. Its bytes are beside the session's store, never in the state, and survive
/// the server's death. An action takes those that are ``ready``, and what it did with them is undone with the action.
/// A file that nobody takes goes with the session, or an hour after its last byte.
///
/// With an ``UploadStore`` the bytes go there instead, and the app takes the files by ``Upload/take()``. Their rows go with
/// the session, or when somebody discards them.
public final class Uploads: ViewModel {
  /// The most files at once.
  public let most: Int
  /// The most bytes of each.
  public let each: FileSize
  public let types: UploadTypes
  let store: (any UploadStore)?
  let context: SessionContext
  let files = KeyedList<Upload>()
  /// The keys of files that the app has taken, the newest last, so that none of them comes a second time.
  @Observed var taken: [String] = []
  let shownMost: ObservableValue<Int>
  let shownEach: ObservableValue<Int>
  let shownTypes: ObservableValue<String>
  let isElsewhere: ObservableValue<Bool>

  /// - Parameters:
  ///   - most: the most files at once, those on their way with those that are there; 1 to 1,000.
  ///   - each: the most bytes of each.
  ///   - types: the kinds that are taken. A file whose first bytes are of another kind is refused, unless it goes to a store.
  ///   - store: a store of the app's own to which the clients send the files; by default they come to the server.
  public init(
    _ context: SessionContext, most: Int = 1, each: FileSize, types: UploadTypes = .all,
    at store: (any UploadStore)? = nil
  ) {
    if !(1...1_000).contains(most) {
      stopProgram("uploads of \(most) files at once", expected: "1 to 1000", remedy: "mend 'most:'")
    }
    (self.context, self.most, self.each, self.types, self.store) = (context, most, each, types, store)
    shownMost = Computed { most }
    shownEach = Computed { each.bytes }
    shownTypes = Computed { types.text }
    isElsewhere = Computed { store != nil }
    context.didExpire.append { [weak self] file in self?.expire(file) }
  }

  /// All files: those on their way, those that are there, and those that were refused.
  public var all: [Upload] { files.rows }

  /// The files that are there as a whole.
  public var ready: [Upload] { files.rows.filter(\.isReady) }

  /// The file under a key.
  public subscript(key: String) -> Upload? { files[key] }

  public static let surface = Surface<Uploads>(
    "uploads", about: "Files that are sent to `uploads` of the session.",
    .list("files", \.files) { Upload($1, of: $0) },
    .value("most", \.shownMost), .value("bytes", \.shownEach), .value("types", \.shownTypes),
    .value("elsewhere", \.isElsewhere),
    .stored("taken", \.$taken))

  // MARK: For its rows

  func spooled(_ upload: Upload) -> SpooledFile { SpooledFile(session: context.session, name: upload.file) }

  /// Takes a file from the list for the app.
  func take(_ upload: Upload, as deed: FileDeed) {
    taken = taken.suffix(Self.mostTaken - 1) + [upload.key]
    files.remove(upload.key)
    context.add(deed)
  }

  func discard(_ upload: Upload) {
    guard files[upload.key] === upload else { return }
    files.remove(upload.key)
    drop(upload)
  }

  /// Drops the bytes of a file once the transaction is stored. Those in the app's store are the store's to remove.
  func drop(_ upload: Upload) {
    guard store == nil, let spool = context.spool, !upload.file.isEmpty else { return }
    let file = spooled(upload)
    context.add(FileDeed(undo: {}, commit: { spool.remove(file) }))
  }

  private static let mostTaken = 100
}
