// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
import Testing

/// The library by which an app signs requests to its bucket; here it remembers them.
struct Signer: Sendable {
  func url(_ method: String, _ name: String, _ fields: [String: String], length: Int) -> String {
    "https://films.example/\(name)?method=\(method)&length=\(length)"
  }

  func length(_ name: String) async throws -> Int? { 3 }
  func copy(_ name: String, to other: String) async throws {}
}

struct Bucket: UploadStore {
  let signer: Signer

  func address(for file: DeclaredUpload) -> UploadAddress {
    let fields = ["Content-Type": file.type, "If-None-Match": "*"]
    return UploadAddress(url: signer.url("PUT", file.storedName, fields, length: file.size), fields: fields)
  }

  func size(of storedName: String) async throws -> Int? { try await signer.length(storedName) }
}

final class Films: ViewModel {
  let arriving: Uploads
  @Observed var kept: [String] = []
  private let bucket: Bucket

  init(_ context: SessionContext, _ bucket: Bucket) {
    self.bucket = bucket
    arriving = Uploads(context, most: 5, each: .gigabytes(5), types: .only("video/mp4"), at: bucket)
  }

  func keep(_ run: CommandRun) async throws {
    for film in arriving.ready {
      guard let name = film.storedName else { continue }
      try await bucket.signer.copy(name, to: "kept/\(name)")
      // Somebody may have removed it meanwhile.
      if arriving[film.key]?.storedName == name { kept.append(try film.take()) }
    }
  }

  static let surface = Surface<Films>(
    "films", .uploads("arriving", \.arriving), .value("kept", \.$kept), .command("keep", Films.keep))
}

/// The Swift of the guide "Files in a bucket", compiled and run.
@Suite(.timeLimit(.minutes(30))) struct `The guide on files in a bucket` {
  @Test func `takes films that went to a bucket`() async throws {
    let bucket = Bucket(signer: Signer())
    let films = try ModelDriver { Films($0, bucket) }
    try films.upload("arriving", [1, 2, 3], named: "sea.mp4", type: "video/mp4")
    try films.perform("keep")
    await films.wait { $0["arriving/files/order"] == [] }
    #expect(films["kept/0"] != nil && films["arriving/files/order"] == [])
  }
}
