// SPDX-License-Identifier: MIT
import EuripusApp

/// A shelf for films, whose bytes go from the browsers straight to a bucket, and from there.
///
/// `Bucket --bucket-url https://s3.eu-central-1.amazonaws.com/films --region eu-central-1 --access-key …`, and the secret key in
/// the environment.
@main struct BucketApp: EuripusApp {
  static var abstract: String { "A shelf for films in a bucket." }

  @Option(help: "The bucket's URL: the origin of the object store, and the bucket's name as its path.")
  var bucketUrl: String
  @Option(help: "The region that the store's signatures name.")
  var region = "us-east-1"
  @Option(help: "The access key, whose secret is in BUCKET_SECRET_KEY.")
  var accessKey: String

  @Service var bucket: S3Bucket

  func start(_ server: EuripusServer) throws { bucket = try S3Bucket(bucketUrl, region: region, accessKey: accessKey) }

  /// Pages may send to the bucket, and a large copy in it takes a while.
  func configure(_ configuration: inout ServerConfiguration) {
    let origin = bucketUrl.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    configuration.contentSecurityPolicy["connect-src"] = "'self' \(origin)"
    configuration.sessions.commandLimit = .seconds(300)
  }

  var models: Models { hosting(at: "/") { Films(bucket, $0) } }
}
