// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import EuripusServer

@Suite struct `Static files` {
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("files-\(UUID().uuidString)").path

    /// - Parameter files: names of files, each with its own name as text.
    init(_ files: [String], links: [(name: String, to: String)] = []) throws {
      for file in files {
        let url = URL(fileURLWithPath: "\(path)/\(file)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.utf8).write(to: url)
      }
      for (name, target) in links {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
      }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  /// A mark that makes one character of itself and what stands behind it or before it.
  @Test(arguments: [
    [".env"], [".git", "config"], ["a", ".env"], ["a/.env"], ["\u{600}/.env"], ["\u{600}", ".env"], ["."], [".."],
    ["a", "..", "shown"], [".\u{301}x"], ["a", ""], ["", "shown"],
  ])
  func `that are hidden are not served, by whatever spelling`(segments: [String]) throws {
    let folder = try Folder(["shown", ".env", ".git/config", "a/.env", "\u{600}/.env", ".\u{301}x"])
    let files = StaticFiles(directory: folder.path)
    #expect(files.response(["shown"]) != nil)
    #expect(files.response(segments) == nil)
  }

  @Test func `are served through a link that ends at one that is not hidden, in the directory`() throws {
    let outside = try Folder(["secret"])
    let folder = try Folder(
      ["a/shown", ".git/config", "a/.env"],
      links: [
        ("well", "a/shown"), ("env", "a/.env"), ("config", ".git/config"), ("git", ".git"),
        ("outside", "\(outside.path)/secret"),
      ])
    let files = StaticFiles(directory: folder.path)
    #expect(files.response(["well"]) != nil)
    for segments in [["env"], ["config"], ["git", "config"], ["outside"]] { #expect(files.response(segments) == nil) }
  }

  @Test func `are served from a directory that is itself hidden`() throws {
    let folder = try Folder([".public/shown"])
    #expect(StaticFiles(directory: folder.path + "/.public").response(["shown"]) != nil)
  }
}
