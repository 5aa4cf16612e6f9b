// SPDX-License-Identifier: MIT
import Glibc
import HTTPListening

/// The files of the passive views in one directory. Nothing of them is kept in memory. Each is opened when a
/// client asks for it, and sent from the file system.
struct StaticFiles: Sendable {
  /// The directory without symbolic links; `nil` if nothing is served.
  private let root: String?
  private let policy: ContentSecurityPolicy

  /// - Parameters:
  ///   - directory: the directory; `nil` for a server without files.
  ///   - policy: the rules for pages.
  init(directory: String?, policy: ContentSecurityPolicy = .strict) {
    root = directory.flatMap { RealPath($0).path }
    self.policy = policy
  }

  /// The file at a path. If the path ends with a slash, it is the `index.html` there.
  ///
  /// - Returns: `nil` if there is no such file, or if it is hidden or outside the directory.
  /// - Throws: `overloaded` if there may be such a file, but the system lacks a descriptor or memory to open
  ///   it.
  func response(_ segments: [String], _ accepted: AcceptEncoding = AcceptEncoding(nil)) throws(Problem) -> HTTPResponse?
  {
    guard let root else { return nil }
    var segments = segments
    if segments.last == "" { segments[segments.count - 1] = "index.html" }
    // A slash in a segment was percent-encoded.
    guard segments.allSatisfy({ Self.isShown($0.utf8[...]) && !$0.utf8.contains(UInt8(ascii: "/")) }) else {
      return nil
    }
    let path = "\(root)/\(segments.joined(separator: "/"))"
    guard let plain = try opened(path, in: root) else { return nil }
    let coded = try coded(plain, in: root)
    let coding = accepted.best(of: coded.map(\.coding))
    let chosen = coded.first { $0.coding == coding }
    let file = chosen?.file ?? plain
    var response = HTTPResponse.document(
      MediaType.ofFile(plain.path), .file(file.body), tag: file.tag + (chosen.map { "-\($0.coding.rawValue)" } ?? ""),
      policy)
    response.fields.append(HTTPField("Accept-Ranges", "bytes"))
    if let chosen { response.fields.append(HTTPField("Content-Encoding", chosen.coding.rawValue)) }
    if !coded.isEmpty { response.fields.append(HTTPField("Vary", "Accept-Encoding")) }
    return response
  }

  private func opened(_ path: String, in root: String) throws(Problem) -> OpenedFile? {
    try OpenedFile(path, accepting: { isBelowRoot($0, root) })
  }

  /// The encoded forms of a file that lie beside it, where the file is without links. A form that is older than
  /// the file is left out, since it may hold earlier bytes.
  private func coded(
    _ plain: OpenedFile, in root: String
  ) throws(Problem) -> [(coding: ContentCoding, file: OpenedFile)] {
    var coded: [(coding: ContentCoding, file: OpenedFile)] = []
    for (coding, suffix) in [(ContentCoding.brotli, ".br"), (.gzip, ".gz")] {
      guard let file = try opened(plain.path + suffix, in: root), !file.isOlder(than: plain) else { continue }
      coded.append((coding, file))
    }
    return coded
  }

  /// Whether a path without links is below the directory, with nothing hidden on the way.
  private func isBelowRoot(_ path: String, _ root: String) -> Bool {
    let start = root == "/" ? "/" : root + "/"
    guard path.utf8.starts(with: start.utf8) else { return false }
    return path.utf8.dropFirst(start.utf8.count).split(separator: UInt8(ascii: "/")).allSatisfy(Self.isShown)
  }

  /// Whether a part of a path may be served. "..", "." and hidden files may not: they start with a dot. It
  /// compares bytes, since a dot with a combining mark is another character.
  private static func isShown(_ name: Substring.UTF8View) -> Bool {
    !name.isEmpty && name.first != UInt8(ascii: ".")
  }

  static func exists(_ directory: String) -> Bool { RealPath(directory + "/.").path != nil }
}
