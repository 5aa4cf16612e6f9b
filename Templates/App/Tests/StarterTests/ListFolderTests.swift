import Foundation
import Testing

@testable import Starter

@Suite struct `A folder of lists` {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  @Test func `has a file for each list`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let lists = ListFolder(path: folder.path)
    let name = try await lists.keep(["[ ] 2 × Milk", "[x] 1 × Bread"])
    let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    #expect(text == "[ ] 2 × Milk\n[x] 1 × Bread\n")
    let other = try await lists.keep([])
    #expect(other != name)
  }

  @Test func `says that it keeps nothing where it cannot be made`() async throws {
    await #expect(throws: NotKept.self) { try await ListFolder(path: "/dev/null/lists").keep(["Milk"]) }
  }
}
