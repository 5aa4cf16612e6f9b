// SPDX-License-Identifier: MIT

/// The media types of static files, by the ends of their names.
extension MediaType {
  /// The media type of a file by the end of its name, in any case of its letters. An unknown end gives bytes of
  /// no known form.
  static func ofFile(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return unknown }
    return ofFiles[name[name.index(after: dot)...].lowercased()] ?? unknown
  }

  /// Whether the end of a name is that of a file that pages load, such as a script or a picture.
  static func isOfPart(_ path: String) -> Bool {
    let type = ofFile(path)
    return type != unknown && name(of: type) != "text/html"
  }

  /// Whether gzip makes bytes of this type fewer. Most pictures, sounds, films, fonts and archives are
  /// compressed already.
  static func isWorthGzip(_ type: String) -> Bool { type.hasPrefix("text/") || othersWorthGzip.contains(type) }

  private static let othersWorthGzip: Set = [
    "application/json", "application/manifest+json", "application/xml", "application/atom+xml", "application/rss+xml",
    "image/svg+xml", "image/bmp", "font/ttf", "font/otf", "application/wasm",
  ]

  /// That of bytes of no known form.
  static let unknown = "application/octet-stream"

  private static let ofFiles = [
    // Texts, which are all in UTF-8.
    "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
    "txt": "text/plain; charset=utf-8", "md": "text/plain; charset=utf-8", "csv": "text/csv; charset=utf-8",
    "ics": "text/calendar; charset=utf-8", "vtt": "text/vtt; charset=utf-8",
    // Types that say their encoding themselves, or have only one.
    "json": "application/json", "map": "application/json", "webmanifest": "application/manifest+json",
    "xml": "application/xml", "atom": "application/atom+xml", "rss": "application/rss+xml",
    // Pictures.
    "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
    "webp": "image/webp", "avif": "image/avif", "bmp": "image/bmp", "ico": "image/x-icon",
    // Sound and films.
    "mp3": "audio/mpeg", "m4a": "audio/mp4", "ogg": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav",
    "flac": "audio/flac", "mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm", "mov": "video/quicktime",
    // Fonts.
    "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf",
    // All else.
    "wasm": "application/wasm", "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip",
  ]
}
