// SPDX-License-Identifier: MIT
import Testing

@testable import EuripusServer

@Suite struct `Static files` {
  /// A mark that makes one character of itself and what stands behind it or before it.
  @Test(arguments: [
    [".env"], [".git", "config"], ["a", ".env"], ["a/.env"], ["\u{600}/.env"], ["\u{600}", ".env"], ["."], [".."],
    ["a", "..", "shown"], [".\u{301}x"], ["a", ""], ["", "shown"],
  ])
  func `that are hidden are not served, by whatever spelling`(segments: [String]) throws {
    let folder = try PublicFolder([
      "shown": "", ".env": "", ".git/config": "", "a/.env": "", "\u{600}/.env": "", ".\u{301}x": "",
    ])
    let files = StaticFiles(directory: folder.path)
    #expect(try files.response(["shown"]) != nil)
    #expect(try files.response(segments) == nil)
  }

  @Test func `are served through a link that ends at one that is not hidden, in the directory`() throws {
    let outside = try PublicFolder(["secret": ""])
    let folder = try PublicFolder(
      ["a/shown": "", ".git/config": "", "a/.env": ""],
      links: [
        ("well", "a/shown"), ("env", "a/.env"), ("config", ".git/config"), ("git", ".git"),
        ("outside", "\(outside.path)/secret"),
      ])
    let files = StaticFiles(directory: folder.path)
    #expect(try files.response(["well"]) != nil)
    for segments in [["env"], ["config"], ["git", "config"], ["outside"]] {
      #expect(try files.response(segments) == nil)
    }
  }

  @Test func `are served from a directory that is itself hidden`() throws {
    let folder = try PublicFolder([".public/shown": ""])
    #expect(try StaticFiles(directory: folder.path + "/.public").response(["shown"]) != nil)
  }
}
