// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "starter",
  dependencies: [.package(name: "euripus", path: "../..")],
  targets: [
    .executableTarget(
      name: "Starter", dependencies: [.product(name: "EuripusApp", package: "euripus")],
      // Commands are async methods that stay in their session.
      swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    .testTarget(
      name: "StarterTests", dependencies: ["Starter", .product(name: "EuripusTesting", package: "euripus")],
      swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
  ]
)
