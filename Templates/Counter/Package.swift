// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "tally",
  dependencies: [.package(name: "euripus", path: "../..")],
  targets: [
    .executableTarget(
      name: "Tally", dependencies: [.product(name: "EuripusApp", package: "euripus")],
      swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    .testTarget(
      name: "TallyTests", dependencies: ["Tally", .product(name: "EuripusTesting", package: "euripus")],
      swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
  ]
)
