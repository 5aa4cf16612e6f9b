// SPDX-License-Identifier: MIT
import Glibc
import HTTPListening

/// The files of the passive views in one directory. Nothing of them is kept: each is opened when it is asked for, and sent from
/// where it lies.
struct StaticFiles: Sendable {
  /// The directory, with symbolic links resolved; `nil` serves nothing.
  private let root: String?

  /// - Parameter directory: `nil` for a server without files.
  init(directory: String?) {
    root = directory.flatMap { RealPath($0).path }
  }

  /// The file at a path; a path that ends with a slash means its `index.html`.
  ///
  /// - Returns: `nil` where there is no such file, or it is outside the directory or hidden.
  /// - Throws: `overloaded` where there may be one, and the system has no descriptor or memory to open it.
  func response(_ segments: [String]) throws(Problem) -> HTTPResponse? {
    guard let root else { return nil }
    var segments = segments
    if segments.last == "" { segments[segments.count - 1] = "index.html" }
    // A slash can only have come encoded.
    guard segments.allSatisfy({ Self.isShown($0.utf8[...]) && !$0.utf8.contains(UInt8(ascii: "/")) }) else {
      return nil
    }
    let path = "\(root)/\(segments.joined(separator: "/"))"
    guard let file = try OpenedFile(path, accepting: { isBelowRoot($0, root) }) else { return nil }
    var response = HTTPResponse.document(Self.mediaType(of: file.path), .file(file.body), tag: file.tag)
    response.fields.append(HTTPField("Accept-Ranges", "bytes"))
    return response
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

  private static func mediaType(of path: String) -> String {
    switch path.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js", "mjs": "text/javascript; charset=utf-8"
    case "json": "application/json"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "ico": "image/x-icon"
    case "txt", "md": "text/plain; charset=utf-8"
    case "webmanifest": "application/manifest+json"
    default: "application/octet-stream"
    }
  }
}
