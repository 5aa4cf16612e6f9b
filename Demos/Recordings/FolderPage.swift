// SPDX-License-Identifier: MIT
import Euripus

/// The page of a folder: the items in it by name, the actions that add some, and its own name.
final class FolderPage: CoordinatedPage {
  /// The id of the folder that the page shows; another one may take its place.
  @Observed var id: String
  /// The folder until it is deleted, then `nil` (S3-R1).
  lazy var folder = Computed(self) { $0.recordings.library.folder($0.id) }
  lazy var title = Computed(self) { try $0.folder.get()?.name ?? "" }
  lazy var isGone: ObservableValue<Bool> = Computed(self) { try $0.folder.get() == nil }
  let items = KeyedList<ItemRow>()
  let renaming: Renaming
  @Observed var newName: ShortText?
  @Observed var newLength = 60.0
  /// The observer that is told the id of an item to show. The coordinator decides what happens then.
  let open = Observer<String>()
  private let recordings: Recordings

  init(_ recordings: Recordings, _ id: String) {
    self.recordings = recordings
    self.id = id
    renaming = Renaming(recordings, _id.projectedValue)
    Observer(self) { me, folder in
      me.items.update(folder?.contents.map(\.id) ?? []) { ItemRow(recordings, $0) }
    }.subscribe(folder, replay: true)
  }

  func createFolder() { create(length: nil) }
  func createRecording() { create(length: max(0, newLength)) }

  /// Creates an item. Without a name nothing is created (S3-R5). The field is emptied at once and not when the item is
  /// saved: by then the user may have typed the next name into it. If the item was not saved and nothing was typed, the
  /// name is there again.
  private func create(length: Double?) {
    guard let name = newName, !name.text.isEmpty else { return }
    newName = nil
    recordings.save(.add(name.text, length: length, to: id), self) { me in
      if me.newName?.text.isEmpty ?? true { me.newName = name }
    }
  }

  static let surface = Surface<FolderPage>(
    "folder",
    .value("title", \.title),
    .list("items", \.items).notStored(),
    .nested("renaming", \.renaming),
    .twoWay("newName", \.$newName).about("The name of what is created next."),
    .twoWay("newLength", \.$newLength).about("The length of the recording that is created next, in seconds."),
    .action("createFolder", FolderPage.createFolder).about("Creates a folder with the new name, if there is one."),
    .action("createRecording", FolderPage.createRecording).about("Creates a recording with the new name and length."),
    .action("open", \.open).about("Shows the page of an item, by its key."))
}

/// A row of a folder's page.
final class ItemRow: ViewModel {
  /// The name behind a sign for what it is, of characters that not every system has a picture of.
  lazy var text = Computed(self) { $0.item.map { ($0.isFolder ? "📁  " : "🔊  ") + $0.name } ?? "" }
  lazy var name = Computed(self) { $0.item?.name ?? "" }
  lazy var length = Computed(self) { $0.item?.length.map(clockTime) }
  private var item: LibraryItem? { recordings.library[id] }
  private let recordings: Recordings
  private let id: String

  init(_ recordings: Recordings, _ id: String) { (self.recordings, self.id) = (recordings, id) }

  func delete() { recordings.save(.delete(id), self) }

  static let surface = Surface<ItemRow>(
    "item", .value("text", \.text), .value("name", \.name), .value("length", \.length),
    .action("delete", ItemRow.delete))
}
