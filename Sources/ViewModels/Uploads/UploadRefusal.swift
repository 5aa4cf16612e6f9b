// SPDX-License-Identifier: MIT

/// The reason why a file is not taken, or not found.
public enum UploadRefusal: Error, Equatable, CustomStringConvertible {
  /// Nothing is sent under the key, or the path takes no files.
  case unknown
  /// The app has taken the file.
  case taken
  case invalidKey
  case tooMany(limit: Int)
  case tooLarge(name: String, limit: FileSize)
  case wrongType(name: String, expected: String)
  /// Another file was declared under the key.
  case other
  /// The bytes that came were refused, and the file's row says why.
  case refused(String)
  /// The bytes of the file go to the app's store, and the request has some, or ends the file.
  case elsewhere
  /// The bytes go to the app's store, and the request does not say how many they are.
  case noLength
  /// The server has no room for it.
  case noRoom(String)
  /// Uploads are not possible here, as in a view model without a session.
  case noSpool

  public var description: String {
    switch self {
    case .unknown: "no file is sent here under this key, or the path takes no files"
    case .taken: "the app has taken the file of this key; expected another key, or POST, which makes one"
    case .invalidKey:
      "a key of a file has 1 to 100 bytes, without slashes and control characters, and is neither . nor .."
    case .tooMany(let limit): "the place has room for \(limit) at once; expected one of the files to go first"
    case .tooLarge(let name, let limit): "a file may have \(limit) at most, and '\(name)' has more"
    case .wrongType(let name, let expected): "expected a file of the type \(expected), got '\(name)'"
    case .other: "another file was declared under this key; expected another key, or PUT"
    case .refused(let reason): reason
    case .elsewhere:
      "the bytes go to another address; expected a declaration, whose answer has it: an empty body, Upload-Complete: ?0"
    case .noLength: "the bytes go to another address; expected Upload-Length, their number"
    case .noRoom(let reason): reason
    case .noSpool: "no files can be sent here"
    }
  }
}
