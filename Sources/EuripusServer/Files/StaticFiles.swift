// SPDX-License-Identifier: MIT
import Glibc
import HTTPListening
import Locking

/// The files of the passive views, read from one directory and kept as long as they do not change on disk.
final class StaticFiles: Sendable {
  private struct Entry: Sendable {
    let tag: String
    let body: [UInt8]
  }

  /// The directory, with symbolic links resolved; `nil` serves nothing.
  private let root: String?
  private let entries = Locked<[String: Entry]>([:])

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
    // "..", "." and hidden files start with a dot; a slash can only have come encoded.
    guard segments.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.contains("/") }) else { return nil }
    let path = "\(root)/\(segments.joined(separator: "/"))"
    // A symbolic link may lead anywhere; what counts is where it ends.
    guard let real = Self.resolved(path), real.hasPrefix(root == "/" ? "/" : root + "/"), let entry = entry(real) else {
      return nil
    }
    return HTTPResponse(
      status: 200,
      fields: [HTTPField("Content-Type", Self.mediaType(of: real)), HTTPField("Cache-Control", "no-cache")],
      body: entry.body, entityTag: entry.tag)
  }

  private func entry(_ path: String) -> Entry? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let modified = status.st_mtim
    let tag = "\(String(modified.tv_sec, radix: 36))-\(String(modified.tv_nsec, radix: 36))-\(status.st_size)"
    if let entry = entries.withLock({ $0[path] }), entry.tag == tag { return entry }
    guard let body = Self.read(descriptor, count: Int(status.st_size)) else { return nil }
    let entry = Entry(tag: tag, body: body)
    entries.withLock { $0[path] = entry }
    return entry
  }

  private static func read(_ descriptor: Int32, count: Int) -> [UInt8]? {
    var isWhole = true
    let body = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = Glibc.read(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled)
        if got <= 0 {
          isWhole = false
          return
        }
        filled += got
      }
    }
    return isWhole ? body : nil
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
