// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

// A package of its own, so that nobody who builds the server builds this: `make fuzz`.
let package = Package(
  name: "fuzzing",
  dependencies: [.package(name: "euripus", path: "..")],
  targets: [
    // A link to Tests/CorpusTests/Properties.
    .target(name: "Properties", dependencies: [.product(name: "Euripus", package: "euripus")]),
    .executableTarget(name: "Fuzz", dependencies: ["Properties"]),
  ],
  swiftLanguageModes: [.v6]
)
