// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "euripus-client",
  products: [
    .library(name: "EuripusClient", targets: ["EuripusClient"]),
    .library(name: "EuripusMirror", targets: ["EuripusMirror"]),
    .executable(name: "follow", targets: ["Follow"]),
  ],
  dependencies: [.package(name: "euripus", path: "../../..")],
  targets: [
    // It needs Foundation alone.
    .target(name: "EuripusClient", swiftSettings: strict),
    // The ground of the classes that `types MODEL --swift` prints.
    .target(
      name: "EuripusMirror", dependencies: ["EuripusClient", .product(name: "ObservableCore", package: "euripus")],
      swiftSettings: strict),
    .executableTarget(name: "Follow", dependencies: ["EuripusClient"], swiftSettings: strict),
    .testTarget(name: "EuripusClientTests", dependencies: ["EuripusClient", "EuripusMirror"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
