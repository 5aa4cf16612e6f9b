// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

// A package of its own, so that Hummingbird is no dependency of Euripus: the server is only measured beside it
// (Decisions/0015).
let package = Package(
  name: "hummingbird-answers",
  platforms: [.macOS(.v14)],
  dependencies: [.package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1")],
  targets: [
    .executableTarget(
      name: "HummingbirdAnswers", dependencies: [.product(name: "Hummingbird", package: "hummingbird")],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ],
  swiftLanguageModes: [.v6]
)
