// SPDX-License-Identifier: MIT

/// A store of the app's own to which clients send files themselves, such as a bucket at an object store.
///
/// The server makes each file's name there, and hands out the address that the app makes of it. So the bytes pass no server
/// of the app's. The state shows the files and their progress as it does for others, by the client's word. Once a client says
/// that all bytes are there, the server asks for their number.
///
/// Nothing compares the bytes with the file's type. The server removes nothing from the store: give the place where files
/// arrive a rule by which they go after a day, and copy those that an action takes to another one.
public protocol UploadStore: Sendable {
  /// The address to which a client sends a file, for a short time. A client that has to begin anew gets another name.
  ///
  /// - Throws: any error. The client is answered `502 upload-store-failed`, and the log has the error's text: keep signed
  ///   addresses out of it.
  func address(for file: DeclaredUpload) async throws -> UploadAddress

  /// The bytes of a file that are there; `nil` if there is none of this name.
  ///
  /// - Throws: as ``address(for:)``.
  func size(of storedName: String) async throws -> Int?
}

/// A file that a client is about to send to an ``UploadStore``.
public struct DeclaredUpload: Sendable, Hashable {
  /// Its name in the store: 32 hexadecimal digits, which nobody can guess.
  public let storedName: String
  /// The name that it has at the client, for people.
  public let name: String
  /// Its media type, without parameters. Nobody has compared it with the bytes.
  public let type: String
  /// Its bytes.
  public let size: Int

  /// Makes one by hand, for a test of an ``UploadStore``.
  public init(storedName: String, name: String, type: String, size: Int) {
    (self.storedName, self.name, self.type, self.size) = (storedName, name, type, size)
  }
}

/// The address to which a client sends a file: a `PUT` with the file as its body.
public struct UploadAddress: Sendable, Hashable {
  /// An absolute URL. Whoever has it may send the file, so it is told to the client alone and never in the state.
  public let url: String
  /// Fields of the request, by their names, such as `Content-Type`.
  public let fields: [String: String]

  public init(url: String, fields: [String: String] = [:]) { (self.url, self.fields) = (url, fields) }
}
