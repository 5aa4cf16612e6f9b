// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
  name: "todo",
  dependencies: [.package(name: "euripus", path: "../..")],
  targets: [
    .executableTarget(
      name: "Todo", dependencies: [.product(name: "EuripusApp", package: "euripus")],
      swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    .testTarget(name: "TodoTests", dependencies: ["Todo", .product(name: "EuripusTesting", package: "euripus")]),
  ]
)
