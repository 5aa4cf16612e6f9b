// SPDX-License-Identifier: MIT
import Glibc
import HTTPListening

/// The files of the passive views in one directory. Nothing of them is kept: each is opened when it is asked for, and sent from
/// where it lies.
struct StaticFiles: Sendable {
  /// The directory, with symbolic links resolved; `nil` serves nothing.
  private let root: String?
  private let policy: ContentSecurityPolicy

  /// - Parameters:
  ///   - directory: `nil` for a server without files.
  ///   - policy: the rules of the pages.
  init(directory: String?, policy: ContentSecurityPolicy = .strict) {
    root = directory.flatMap { RealPath($0).path }
    self.policy = policy
  }

  /// The file at a path; a path that ends with a slash means its `index.html`.
  ///
  /// - Returns: `nil` where there is no such file, or it is outside the directory or hidden.
  /// - Throws: `overloaded` where there may be one, and the system has no descriptor or memory to open it.
  func response(_ segments: [String], _ accepted: AcceptEncoding = AcceptEncoding(nil)) throws(Problem) -> HTTPResponse?
  {
    guard let root else { return nil }
    var segments = segments
    if segments.last == "" { segments[segments.count - 1] = "index.html" }
    // A slash can only have come encoded.
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

  /// The files beside one, where that is without links, that have the same with a content coding. One that is older may be
  /// of the file's former bytes.
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

  /// Whether a real path is below the directory, and nothing on the way from there is hidden.
  private func isBelowRoot(_ path: String, _ root: String) -> Bool {
    let start = root == "/" ? "/" : root + "/"
    guard path.utf8.starts(with: start.utf8) else { return false }
    return path.utf8.dropFirst(start.utf8.count).split(separator: UInt8(ascii: "/")).allSatisfy(Self.isShown)
  }

  /// Whether a part of a path is none that starts with a dot, as "..", "." and hidden files do. By bytes: a dot with a mark
  /// that combines with it is another character.
  private static func isShown(_ name: Substring.UTF8View) -> Bool {
    !name.isEmpty && name.first != UInt8(ascii: ".")
  }

  static func exists(_ directory: String) -> Bool { RealPath(directory + "/.").path != nil }
}
