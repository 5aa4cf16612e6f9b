// SPDX-License-Identifier: MIT
import ObservableCore

/// The kinds of files that are taken, by their media types.
public struct UploadTypes: Sendable, Equatable {
  /// In lower case; empty for all types.
  let names: [String]

  /// All kinds.
  ///
  /// A file of any kind may be a page with scripts: never serve one as a page of your own.
  public static let all = UploadTypes(names: [])
  /// Pictures that every browser shows, and that cannot contain scripts.
  public static let images = UploadTypes(names: ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"])

  /// These media types alone, such as `application/pdf`.
  ///
  /// - Precondition: there is one or more, each with a slash.
  public static func only(_ names: String...) -> UploadTypes { UploadTypes(names: checked(names)) }

  /// These media types as well: `.images.and("application/pdf")`.
  ///
  /// - Precondition: as for ``only(_:)``. All kinds are all already.
  public func and(_ names: String...) -> UploadTypes {
    let more = Self.checked(names)
    return self == .all ? self : UploadTypes(names: self.names + more)
  }

  private static func checked(_ names: [String]) -> [String] {
    if names.isEmpty || names.contains(where: { !$0.contains("/") }) {
      stopProgram(
        "uploads are to be of the types '\(names.joined(separator: ", "))'", expected: "media types with a slash",
        remedy: #"write '.only("application/pdf")', for instance"#)
    }
    return names.map { $0.lowercased() }
  }

  /// Whether it names a type.
  package func has(_ type: String) -> Bool { names.contains(type) }

  /// - Parameter type: a media type without parameters, in lower case.
  func take(_ type: String) -> Bool { names.isEmpty || names.contains(type) }

  /// As an input of a page takes it in `accept`; empty for all types.
  var text: String { names.joined(separator: ",") }

  /// For people: `png, jpeg or text`.
  var words: String {
    let ends = names.map { $0 == "text/plain" ? "text" : String($0.split(separator: "/").last ?? "") }
    guard let last = ends.last, ends.count > 1 else { return ends.first ?? "any" }
    return ends.dropLast().joined(separator: ", ") + " or " + last
  }
}
