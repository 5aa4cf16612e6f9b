// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

@testable import EuripusServer

@Suite struct `Static files` {
  /// U+0600 makes one character with the letter behind it, and U+0301 with the one before it. A dot or a slash
  /// inside such a character counts all the same.
  @Test(arguments: [
    [".env"], [".git", "config"], ["a", ".env"], ["a/.env"], ["\u{600}/.env"], ["\u{600}", ".env"], ["."], [".."],
    ["a", "..", "shown"], [".\u{301}x"], ["a", ""], ["", "shown"],
  ])
  func `that are hidden are not served, by any spelling`(segments: [String]) throws {
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

  @Test(arguments: [
    ("a.html", "text/html; charset=utf-8"), ("a.css", "text/css; charset=utf-8"),
    ("a.js", "text/javascript; charset=utf-8"), ("a.mjs", "text/javascript; charset=utf-8"),
    ("a.txt", "text/plain; charset=utf-8"), ("a.csv", "text/csv; charset=utf-8"), ("a.json", "application/json"),
    ("a.js.map", "application/json"), ("a.webmanifest", "application/manifest+json"), ("a.xml", "application/xml"),
    ("a.svg", "image/svg+xml"), ("a.png", "image/png"), ("a.jpg", "image/jpeg"), ("a.jpeg", "image/jpeg"),
    ("a.gif", "image/gif"), ("a.webp", "image/webp"), ("a.avif", "image/avif"), ("a.ico", "image/x-icon"),
    ("a.mp3", "audio/mpeg"), ("a.mp4", "video/mp4"), ("a.webm", "video/webm"), ("a.woff", "font/woff"),
    ("a.woff2", "font/woff2"), ("a.ttf", "font/ttf"), ("a.wasm", "application/wasm"), ("a.pdf", "application/pdf"),
    ("A.JPG", "image/jpeg"), ("a.b.unknown", "application/octet-stream"), ("png", "application/octet-stream"),
    ("a.png/b", "application/octet-stream"), ("a.", "application/octet-stream"),
  ])
  func `have the media type of their names' end`(name: String, type: String) throws {
    let folder = try PublicFolder([name: ""])
    let segments = name.split(separator: "/").map(String.init)
    let response = try #require(try StaticFiles(directory: folder.path).response(segments))
    #expect(response.fields.filter { "\($0.name)" == "Content-Type" }.map(\.value) == [type])
  }
}
