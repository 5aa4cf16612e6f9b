// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
  name: "help-desk",
  dependencies: [.package(name: "euripus", path: "../..")],
  targets: [
    .executableTarget(
      name: "HelpDesk",
      dependencies: [
        .product(name: "EuripusApp", package: "euripus"), .product(name: "EuripusNodes", package: "euripus"),
      ],
      swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    .testTarget(
      name: "HelpDeskTests", dependencies: ["HelpDesk", .product(name: "EuripusTesting", package: "euripus")]),
  ],
  swiftLanguageModes: [.v6]
)
