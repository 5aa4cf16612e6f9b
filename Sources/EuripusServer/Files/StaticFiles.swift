// SPDX-License-Identifier: MIT
import Glibc
import HTTPListening
import ViewModels

/// The files of the passive views in one directory. Each is opened when a client asks for it, and sent from the
/// file system. Only the gzip forms of some are kept in memory.
struct StaticFiles: Sendable {
  /// The directory without symbolic links; `nil` if nothing is served.
  private let root: String?
  private let policy: ContentSecurityPolicy
  private let compressed = CompressedFiles()

  /// - Parameters:
  ///   - directory: the directory; `nil` for a server without files.
  ///   - policy: the rules for pages.
  init(directory: String?, policy: ContentSecurityPolicy = .strict) {
    root = directory.flatMap { RealPath($0).path }
    self.policy = policy
  }

  /// The file at a path, without a content coding. If the path ends with a slash, it is the `index.html` there.
  ///
  /// - Returns: `nil` if there is no such file, or if it is hidden or outside the directory.
  /// - Throws: `overloaded` if there may be such a file, but the system lacks a descriptor or memory to open
  ///   it.
  func response(_ segments: [String]) throws(Problem) -> HTTPResponse? {
    guard let root, let plain = try plain(segments, in: root) else { return nil }
    return response(plain, .file(plain.body), tag: plain.tag, nil)
  }

  /// The answer with the file at a path, in the content coding that the request takes best. It comes later if
  /// the file has to be compressed first.
  ///
  /// - Returns: As `response(_:)`.
  /// - Throws: As `response(_:)`.
  func answer(_ segments: [String], to request: HTTPRequest) throws(Problem) -> HTTPAnswer? {
    guard let root, let plain = try plain(segments, in: root) else { return nil }
    let beside = try coded(plain, in: root)
    let mayCompress = CompressedFiles.mayHold(plain) && !beside.contains { $0.coding == .gzip }
    var codings = beside.map(\.coding)
    // A part is one of the file as it lies there.
    if mayCompress, request.headerCount("Range") == 0 { codings.append(.gzip) }
    let coding = AcceptEncoding(request.list("Accept-Encoding")).best(of: codings)
    var response: HTTPResponse
    if let chosen = beside.first(where: { $0.coding == coding }) {
      response = self.response(plain, .file(chosen.file.body), tag: chosen.file.tag, coding)
    } else {
      let form = coding == nil ? .notSmaller : compressed.form(of: plain)
      if form == nil, let reply = compressing(plain, for: request) { return .later(reply) }
      response =
        if case .gzip(let bytes)? = form {
          self.response(plain, .bytes(bytes), tag: plain.tag, .gzip)
        } else {
          self.response(plain, .file(plain.body), tag: plain.tag, nil)
        }
    }
    if mayCompress || !beside.isEmpty { response.fields.append(HTTPField("Vary", "Accept-Encoding")) }
    return .now(response)
  }

  /// A page that is made for one request, and not stored.
  ///
  /// - Parameter page: the page in HTML.
  func transient(_ page: String) -> HTTPResponse {
    HTTPResponse(
      status: 200, contentType: HTMLPage.type,
      fields: HTTPResponse.routeFields(type: "\(HTMLPage.type)", hasBody: true, policy), body: Array(page.utf8))
  }

  /// The path of a page that is named without its ending, as `/login` is for `login.html`; `nil` for the path of
  /// a folder.
  static func page(at segments: [String]) -> [String]? {
    guard let name = segments.last, !name.isEmpty else { return nil }
    return segments.dropLast() + [name + HostedPage.ending]
  }

  /// Has a request handled anew once its file is compressed.
  ///
  /// - Returns: `nil` if it was handled anew already, or if too many files wait.
  private func compressing(_ file: OpenedFile, for request: HTTPRequest) -> DeferredReply? {
    guard request.attempt == 0 else { return nil }
    let reply = DeferredReply(deadline: nil) { _, _ in }
    return compressed.make(of: file, then: { reply.askAgain() }) ? reply : nil
  }

  /// - Parameter tag: the tag of the body's file.
  private func response(
    _ plain: OpenedFile, _ body: HTTPBody, tag: String, _ coding: ContentCoding?
  ) -> HTTPResponse {
    var response = HTTPResponse.document(
      MediaType.ofFile(plain.path), body, tag: tag + (coding.map { "-\($0.rawValue)" } ?? ""), policy)
    response.fields.append(HTTPField("Accept-Ranges", "bytes"))
    if let coding { response.fields.append(HTTPField("Content-Encoding", coding.rawValue)) }
    return response
  }

  private func plain(_ segments: [String], in root: String) throws(Problem) -> OpenedFile? {
    var segments = segments
    if segments.last == "" { segments[segments.count - 1] = "index.html" }
    // A slash in a segment was percent-encoded.
    guard segments.allSatisfy({ Self.isShown($0.utf8[...]) && !$0.utf8.contains(UInt8(ascii: "/")) }) else {
      return nil
    }
    return try opened("\(root)/\(segments.joined(separator: "/"))", in: root)
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
