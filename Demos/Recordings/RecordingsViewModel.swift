// SPDX-License-Identifier: MIT
public import Euripus

/// The recordings: a coordinator of the pages of folders and recordings (S3-14).
public final class RecordingsViewModel: ViewModel {
  let navigation = Coordinator()
  private let recordings: Recordings

  /// - Parameter store: the one store of all sessions, through which they see each other's changes.
  public init(store: RecordingStore) {
    recordings = Recordings(store)
    navigation.build(self) { me, path in me.page(at: path) }
  }

  /// The page of the last of the ids in `path`, if it is in the folder that the one before it stands for (S3-R9). One
  /// page has no button that leads to it, only its address.
  private func page(at path: [String]) -> (any ViewModel)? {
    if path == ["about"] { return AboutPage(recordings) }
    let library = recordings.library
    guard let id = path.last else { return folderPage(Library.root, at: path) }
    guard let item = library[id], item.parent == path.dropLast().last ?? Library.root else { return nil }
    return item.isFolder ? folderPage(id, at: path) : PlayerPage(recordings, id)
  }

  private func folderPage(_ id: String, at path: [String]) -> FolderPage {
    let page = FolderPage(recordings, id)
    page.open.handle(self) { me, id in me.navigation.go(to: path + [id]) }
    return page
  }

  public static let surface = Surface<RecordingsViewModel>(
    "recordings",
    about:
      "Folders in folders, and recordings, which all sessions share. A coordinator says which of their pages are open.",
    .value("problem", \.recordings.problem).about("What went wrong with the store, for a person; null if nothing did."),
    .stored("save", \.recordings.save),
    .stored("isBusy", \.recordings.$isBusy),
    .nested("navigation", \.navigation, pages: FolderPage.self, PlayerPage.self, AboutPage.self).inAddress())
}
