// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

// An app of your own adds swift-crypto beside Euripus in this way. There Euripus is a URL as well.
let package = Package(
  name: "bucket",
  dependencies: [
    .package(name: "euripus", path: "../.."), .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
  ],
  targets: [
    .executableTarget(
      name: "Bucket",
      dependencies: [
        .product(name: "EuripusApp", package: "euripus"), .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")])
  ],
  swiftLanguageModes: [.v6]
)
