// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

// An app of your own adds swift-async-algorithms beside Euripus in this way. There Euripus is a URL as well.
let package = Package(
  name: "search-field",
  dependencies: [
    .package(name: "euripus", path: "../.."),
    .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
  ],
  targets: [
    .target(
      name: "SearchField",
      dependencies: [
        .product(name: "ObservableCore", package: "euripus"),
        .product(name: "EventSequences", package: "euripus"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ]),
    .testTarget(
      name: "SearchFieldTests",
      dependencies: ["SearchField", .product(name: "ObservableCore", package: "euripus")]),
  ],
  swiftLanguageModes: [.v6]
)
