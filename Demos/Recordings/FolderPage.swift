// SPDX-License-Identifier: MIT
import Euripus

/// The page of a folder: what is in it by name, what can be added, and its own name.
final class FolderPage: CoordinatedPage {
  /// Which folder the page shows; another one may take its place.
  let id: Observable<String>
  /// The folder until it is deleted, then `nil` (S3-R1).
  let folder: Computed<Folder?>
  let title: Computed<String>
  let isGone: ObservableValue<Bool>
  let items = KeyedList<ItemRow>(name: "items")
  let renaming: Renaming
  let newName = Observable<ShortText?>(nil, name: "newName")
  let newLength = Observable(60.0, name: "newLength")
  let createFolder = Observer<Void>()
  let createRecording = Observer<Void>()
  /// Told the id of an item to show. What happens then is the coordinator's affair.
  let open = Observer<String>()
  private let recordings: Recordings

  init(_ recordings: Recordings, _ id: String) {
    self.recordings = recordings
    let (library, id) = (recordings.library, Observable(id, name: "id"))
    let folder = Computed(name: "folder") { library.value.folder(id.value) }
    (self.id, self.folder) = (id, folder)
    title = Computed(name: "title") { try folder.get()?.name ?? "" }
    isGone = Computed(name: "isGone") { try folder.get() == nil }
    renaming = Renaming(recordings, id)
    createFolder.handle(self) { me, _ in me.create(length: nil) }
    createRecording.handle(self) { me, _ in me.create(length: max(0, me.newLength.value)) }
    Observer(self) { me, folder in
      me.items.update(folder?.contents.map(\.id) ?? []) { ItemRow(recordings, $0) }
    }.subscribe(folder, replay: true)
  }

  /// Without a name nothing is created (S3-R5). The field is empty from now on, not only when it was saved: till then the next
  /// name may have been typed into it. If it was not saved and nothing was typed, it is there again.
  private func create(length: Double?) {
    guard let name = newName.value, !name.text.isEmpty else { return }
    newName.value = nil
    recordings.save(.add(name.text, length: length, to: id.value), self) { me in
      if me.newName.value?.text.isEmpty ?? true { me.newName.value = name }
    }
  }

  static let surface = Surface<FolderPage>(
    "folder",
    .value("title", \.title),
    .list("items", \.items).notStored(),
    .nested("renaming", \.renaming),
    .twoWay("newName", \.newName).about("The name of what is created next."),
    .twoWay("newLength", \.newLength).about("The length of the recording that is created next, in seconds."),
    .action("createFolder", \.createFolder).about("Creates a folder with the new name; without one nothing."),
    .action("createRecording", \.createRecording).about("Creates a recording with the new name and length."),
    .action("open", \.open).about("Shows the page of an item, by its key."))
}

/// A row of a folder's page.
final class ItemRow: ViewModel {
  /// The name behind a sign for what it is, of characters that not every system has a picture of.
  let text: Computed<String>
  let name: Computed<String>
  let length: Computed<String?>
  let delete = Observer<Void>()

  init(_ recordings: Recordings, _ id: String) {
    let library = recordings.library
    text = Computed(name: "text") { library.value[id].map { ($0.isFolder ? "📁  " : "🔊  ") + $0.name } ?? "" }
    name = Computed(name: "name") { library.value[id]?.name ?? "" }
    length = Computed(name: "length") { library.value[id]?.length.map(clockTime) }
    delete.handle(self) { me, _ in recordings.save(.delete(id), me) }
  }

  static let surface = Surface<ItemRow>(
    "item", .value("text", \.text), .value("name", \.name), .value("length", \.length), .action("delete", \.delete))
}
