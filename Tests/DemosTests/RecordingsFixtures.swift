// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Foundation
import JSONPatching
import ObservableCore
import Testing

@testable import Demos

/// A directory for a store, which is removed with its object.
final class TemporaryDirectory: Sendable {
  let url: URL
  init() { url = FileManager.default.temporaryDirectory.appendingPathComponent("recordings-\(UUID().uuidString)") }
  deinit { try? FileManager.default.removeItem(at: url) }

  var path: String { url.path }
  var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
  var store: String? { try? String(contentsOf: url.appendingPathComponent("store.json"), encoding: .utf8) }

  func write(_ text: String) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try text.write(to: url.appendingPathComponent("store.json"), atomically: false, encoding: .utf8)
  }

  func open(log: @escaping @Sendable (String) -> Void = { Issue.record("logged: \($0)") }) -> RecordingStore {
    RecordingStore(directory: path, log: log)
  }
}

extension ModelDriver {
  static let pages = "navigation/pages/items/"

  static func recordings(_ store: RecordingStore) throws -> ModelDriver {
    try ModelDriver { RecordingsViewModel(store: store) }
  }

  func go(_ path: String...) throws { try perform("navigation/go", .array(path.map { .string($0) })) }

  /// Creates an item on a page: a recording, or a folder if there is no length.
  func create(_ name: JSON, length: Double? = nil, on page: String = "root") async throws {
    try set(Self.pages + page + "/newName", name)
    if let length { try set(Self.pages + page + "/newLength", .number(length)) }
    try perform(Self.pages + page + (length == nil ? "/createFolder" : "/createRecording"))
    await settled()
  }

  func rename(_ page: String, to name: String) async throws {
    try set(Self.pages + page + "/renaming/name", .string(name))
    try perform(Self.pages + page + "/renaming/rename")
    await settled()
  }

  func delete(_ id: String, on page: String = "root") async throws {
    try perform(Self.pages + page + "/items/items/" + id + "/delete")
    await settled()
  }

  func texts(_ page: String = "root") -> [JSON?] {
    guard case .array(let keys)? = self[Self.pages + page + "/items/order"] else { return [] }
    return keys.map { key in
      guard case .string(let key) = key else { return nil }
      return self[Self.pages + page + "/items/items/" + key + "/text"]
    }
  }
}

/// The page of the folder with the id 1, without a coordinator, and the changes of the folder that the page was told.
final class Probe: ViewModel {
  let page: FolderPage
  let told = Observable<[String]>([])
  let revision: Computed<Int>
  let problem: Computed<String?>
  let show = Observer<String>()
  let rename = Observer<String>()
  let add = Observer<String>()
  let addMany = Observer<Int>()
  let addAndCancel = Observer<Void>()

  init(_ store: RecordingStore) {
    let recordings = Recordings(store)
    page = FolderPage(recordings, "1")
    revision = Computed { Int(recordings.library.revision) }
    problem = recordings.problem
    Observer(self) { me, folder in
      me.told.value.append(folder.map { "\($0.name): " + $0.contents.map(\.name).joined(separator: ", ") } ?? "nil")
    }.subscribe(page.folder, replay: true)
    show.handle(page) { $0.id = $1 }
    rename.handle(self) { me, id in recordings.save(.rename(id, to: "x"), me) }
    add.handle(self) { me, id in recordings.save(.add("x", length: nil, to: id), me) }
    addMany.handle(self) { me, count in
      for number in 0..<count { recordings.save(.add("\(number)", length: nil, to: Library.root), me) }
    }
    addAndCancel.handle(self) { me, _ in
      recordings.save(.add("x", length: nil, to: Library.root), me)
      recordings.save.cancel()
    }
  }

  static let surface = Surface<Probe>(
    "probe", .nested("page", \.page), .value("told", \.told), .value("revision", \.revision),
    .value("problem", \.problem), .action("show", \.show), .action("rename", \.rename), .action("add", \.add),
    .action("addMany", \.addMany), .action("addAndCancel", \.addAndCancel))
}
