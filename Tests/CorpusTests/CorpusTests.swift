// SPDX-License-Identifier: MIT
import Foundation
import JSONPatching
import Recording
import Testing

/// Tests of each property on the texts that the fuzzer starts from, and on those that it once found.
/// `make fuzz` looks for more.
@Suite struct `Every property` {
  private static let corpora = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Fuzzing/Corpus").standardizedFileURL

  @Test(arguments: Property.all.map(\.name))
  func `holds of its corpus`(name: String) throws {
    let property = try #require(Property.all.first { $0.name == name })
    let files = try FileManager.default.contentsOfDirectory(
      at: Self.corpora.appending(path: name), includingPropertiesForKeys: nil)
    #expect(!files.isEmpty)
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: file))
      do { try property.check(bytes) } catch { Issue.record("\(name)/\(file.lastPathComponent): \(error)") }
      // The referee asks Python's reader about the same text.
      if name == "json" { Recorder.current?.reading(of: bytes, try? JSONReader.read(bytes)) }
    }
  }

  @Test func `is one that a corpus belongs to`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.corpora.path).sorted()
    #expect(names == Property.all.map(\.name).sorted())
  }
}
