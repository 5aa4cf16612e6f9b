// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

// A package of its own, so that the frameworks beside the observable core are no dependencies of Euripus.
let package = Package(
  name: "core-benchmark",
  products: [
    .executable(name: "core-benchmark", targets: ["CoreBenchmark"]),
    .executable(name: "core-instructions", targets: ["CoreInstructions"]),
  ],
  dependencies: [
    .package(name: "euripus", path: "../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    .target(name: "ReactiveShapes", swiftSettings: strict),
    .target(
      name: "EuripusCases",
      dependencies: ["ReactiveShapes", .product(name: "ObservableCore", package: "euripus")], swiftSettings: strict),
    .target(
      name: "OpenCombineCases",
      dependencies: ["ReactiveShapes", .product(name: "OpenCombine", package: "OpenCombine")],
      swiftSettings: strict),
    .target(name: "ObservationCases", dependencies: ["ReactiveShapes"], swiftSettings: strict),
    .target(name: "CMallocCounter"),
    .executableTarget(
      name: "CoreBenchmark",
      dependencies: ["ReactiveShapes", "EuripusCases", "OpenCombineCases", "ObservationCases", "CMallocCounter"],
      swiftSettings: strict),
    // Without the other frameworks, so that counting instructions builds nothing but the core.
    .executableTarget(
      name: "CoreInstructions", dependencies: ["ReactiveShapes", "EuripusCases"], swiftSettings: strict),
    .testTarget(
      name: "CoreBenchmarkTests",
      dependencies: ["ReactiveShapes", "EuripusCases", "OpenCombineCases", "ObservationCases"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
