// SPDX-License-Identifier: MIT
import Dispatch
import Euripus
import Glibc

/// The part of `euripus dev` in the server that it has started.
package enum DevelopmentServer {
  /// The variable of the environment that has the path of the news for pages. They are JSON, which this server passes on.
  package static let variable = "EURIPUS_DEVELOPMENT"

  private static var newsFile: String? { getenv(variable).map { String(cString: $0) } }

  /// Whether `euripus dev` has started this process.
  static var isAuthors: Bool { newsFile != nil }

  /// The route by which a page in development asks for news: none come from a server that was started by itself.
  static let route = AppRoute.get("/euripus-development.json") { _ in
    guard let newsFile else { return RouteResponse(status: 204) }
    return .bytes(bytes(of: newsFile), type: "application/json")
  }

  /// Ends this process when `euripus dev` is gone, however that ended: its end of the standard input is closed then.
  static func endWithAuthor() {
    if newsFile == nil { return }
    DispatchQueue(label: "euripus.author").async {
      var byte: UInt8 = 0
      var count: Int
      repeat { count = read(STDIN_FILENO, &byte, 1) } while count > 0 || count < 0 && errno == EINTR
      kill(getpid(), SIGTERM)
    }
  }

  private static func bytes(of path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 16_384))
    while case let count = read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
    return bytes
  }
}
