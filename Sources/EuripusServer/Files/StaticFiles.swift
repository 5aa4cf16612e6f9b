// SPDX-License-Identifier: MIT
import Glibc
import HTTPListening
import Locking

/// The files of the passive views, read from one directory and kept as long as they do not change on disk.
final class StaticFiles: Sendable {
  private struct File: Sendable {
    let tag: String
    let body: [UInt8]
  }

  /// The directory, with symbolic links resolved; `nil` serves nothing.
  private let root: String?
  private let files = Locked<[String: File]>([:])

  /// - Parameter directory: `nil` for a server without files.
  init(directory: String?) {
    root = directory.flatMap(Self.resolved)
  }

  /// The file at a path; a path that ends with a slash means its `index.html`.
  ///
  /// - Returns: `nil` where there is no such file, or it is outside the directory or hidden.
  func response(_ segments: [String]) -> HTTPResponse? {
    guard let root else { return nil }
    var segments = segments
    if segments.last == "" { segments[segments.count - 1] = "index.html" }
    // A slash can only have come encoded.
    guard segments.allSatisfy({ Self.isShown($0.utf8[...]) && !$0.utf8.contains(UInt8(ascii: "/")) }) else {
      return nil
    }
    let path = "\(root)/\(segments.joined(separator: "/"))"
    // A symbolic link may lead anywhere; what counts is where it ends.
    guard let real = Self.resolved(path), isBelowRoot(real, root), let file = file(real) else { return nil }
    return .document(Self.mediaType(of: real), file.body, tag: file.tag)
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

  private func file(_ path: String) -> File? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let modified = status.st_mtim
    let tag = "\(String(modified.tv_sec, radix: 36))-\(String(modified.tv_nsec, radix: 36))-\(status.st_size)"
    if let file = files.withLock({ $0[path] }), file.tag == tag { return file }
    guard let body = Self.read(descriptor, count: Int(status.st_size)) else { return nil }
    let file = File(tag: tag, body: body)
    files.withLock { $0[path] = file }
    return file
  }

  private static func read(_ descriptor: Int32, count: Int) -> [UInt8]? {
    var body: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: max(1, min(count, 1 << 16)))
    while body.count < count {
      let got = Glibc.read(descriptor, &piece, min(piece.count, count - body.count))
      if got <= 0 { return nil }
      body += piece[..<got]
    }
    return body
  }

  static func exists(_ directory: String) -> Bool { resolved(directory + "/.") != nil }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

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
