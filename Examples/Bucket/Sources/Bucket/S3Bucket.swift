// SPDX-License-Identifier: MIT
import Crypto
import EuripusApp
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A bucket of an object store that speaks S3, with presigned URLs (Signature Version 4, in the query).
struct S3Bucket: UploadStore {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let url: URLComponents
  private let host: String
  private let region: String
  private let accessKey: String
  private let secretKey: String

  init(_ url: String, region: String, accessKey: String) throws {
    guard let secretKey = ProcessInfo.processInfo.environment["BUCKET_SECRET_KEY"] else {
      throw Failure(description: "there is no secret key; expected one in the environment as BUCKET_SECRET_KEY")
    }
    guard let parts = URLComponents(string: url), let host = parts.host, parts.path.count > 1 else {
      throw Failure(description: "'\(url)' is no bucket; expected a URL such as https://s3.example/films")
    }
    (self.url, self.region, self.accessKey, self.secretKey) = (parts, region, accessKey, secretKey)
    self.host = parts.port.map { "\(host):\($0)" } ?? host
  }

  /// The bucket takes the file once, of this type and with as many bytes: all three are signed.
  func address(for file: DeclaredUpload) -> UploadAddress {
    let fields = ["content-type": file.type, "if-none-match": "*"]
    let signed = fields.merging(["content-length": "\(file.size)"]) { $1 }
    return UploadAddress(url: presigned("PUT", Self.arriving + file.storedName, fields: signed), fields: fields)
  }

  func size(of storedName: String) async throws -> Int? {
    let (response, _) = try await ask("HEAD", Self.arriving + storedName)
    if response.statusCode == 404 { return nil }
    guard response.statusCode == 200, let length = response.value(forHTTPHeaderField: "Content-Length"),
      let size = Int(length)
    else { throw Failure(description: "HEAD was answered \(response.statusCode)") }
    return size
  }

  /// Copies a file that has arrived to where no rule removes it. Doing it twice is doing it once.
  ///
  /// - Returns: whether it was there.
  func keep(_ storedName: String) async throws -> Bool {
    let source = "\(url.percentEncodedPath)/\(Self.arriving)\(storedName)"
    let (response, body) = try await ask("PUT", Self.kept + storedName, fields: ["x-amz-copy-source": source])
    if response.statusCode == 404 { return false }
    // A copy that fails after a while is answered with 200 and an error in the body.
    guard response.statusCode == 200, String(decoding: body, as: UTF8.self).contains("<CopyObjectResult") else {
      throw Failure(description: "the copy was answered \(response.statusCode)")
    }
    return true
  }

  /// Removes a copy that nobody wants any more. What stays, if this fails, is to be found by hand.
  func drop(_ storedName: String) async { _ = try? await ask("DELETE", Self.kept + storedName) }

  private static let arriving = "arriving/"
  private static let kept = "kept/"

  /// The address at which a browser fetches a file that is kept, for a minute.
  func link(to storedName: String, named name: String) -> String {
    let encoded = name.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
    let disposition = "attachment; filename*=UTF-8''\(encoded)"
    return presigned("GET", Self.kept + storedName, query: ["response-content-disposition": disposition], seconds: 60)
  }

  private func ask(
    _ method: String, _ name: String, fields: [String: String] = [:]
  ) async throws -> (HTTPURLResponse, Data) {
    guard let url = URL(string: presigned(method, name, fields: fields)) else {
      throw Failure(description: "the bucket's URL cannot be read")
    }
    var request = URLRequest(url: url, timeoutInterval: 60)
    (request.httpMethod, request.allHTTPHeaderFields) = (method, fields)
    do {
      let (body, response) = try await URLSession.shared.data(for: request)
      if let response = response as? HTTPURLResponse { return (response, body) }
    } catch let error as URLError {
      // Its own text has the signed URL, which no log may have.
      throw Failure(description: "the bucket cannot be reached: \(error.code)")
    }
    throw Failure(description: "the bucket does not speak HTTP")
  }

  /// The URL of a request, signed.
  private func presigned(
    _ method: String, _ name: String, fields: [String: String] = [:], query: [String: String] = [:], seconds: Int = 600
  ) -> String {
    let time = Date().formatted(
      Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted, timeZone: .gmt))
    let scope = [String(time.prefix(8)), region, "s3", "aws4_request"]
    let fields = fields.merging(["host": host]) { $1 }.sorted { $0.key < $1.key }
    let names = fields.map(\.key).joined(separator: ";")
    let parameters = query.merging([
      "X-Amz-Algorithm": "AWS4-HMAC-SHA256", "X-Amz-Credential": ([accessKey] + scope).joined(separator: "/"),
      "X-Amz-Date": time, "X-Amz-Expires": "\(seconds)", "X-Amz-SignedHeaders": names,
    ]) { $1 }
    let text = parameters.map { "\(Self.encoded($0))=\(Self.encoded($1))" }.sorted().joined(separator: "&")
    let request = [
      method, "\(url.percentEncodedPath)/\(name)", text, fields.map { "\($0):\($1)\n" }.joined(), names,
      "UNSIGNED-PAYLOAD",
    ].joined(separator: "\n")
    let hash = Self.hex(SHA256.hash(data: Data(request.utf8)))
    let toSign = ["AWS4-HMAC-SHA256", time, scope.joined(separator: "/"), hash].joined(separator: "\n")
    let key = scope.reduce(Data("AWS4\(secretKey)".utf8)) { Self.code($1, by: $0) }
    let signature = Self.hex(Self.code(toSign, by: key))
    return "\(url.scheme ?? "https")://\(host)\(url.percentEncodedPath)/\(name)?\(text)&X-Amz-Signature=\(signature)"
  }

  private static func code(_ text: String, by key: Data) -> Data {
    Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: key)))
  }

  private static func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  /// The characters of a URL that stand for themselves (RFC 3986 §2.3).
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
