// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
  name: "view-model-costs",
  dependencies: [.package(name: "euripus", path: "../..")],
  targets: [
    .executableTarget(
      name: "ViewModelCosts", dependencies: [.product(name: "Euripus", package: "euripus")],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    // The server that `make bench` measures growth with.
    .executableTarget(
      name: "GrowingServer", dependencies: [.product(name: "Euripus", package: "euripus")],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    // The server that `make bench` measures tables of an app's own with.
    .executableTarget(
      name: "TableServer",
      dependencies: [
        .product(name: "EuripusApp", package: "euripus"), .product(name: "EuripusNodes", package: "euripus"),
      ],
      swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault"), .treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)
