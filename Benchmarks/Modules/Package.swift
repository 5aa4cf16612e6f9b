// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
  name: "module-refresh",
  dependencies: [.package(name: "euripus", path: "../..")],
  targets: [
    .executableTarget(
      name: "ModuleRefresh", dependencies: [.product(name: "Euripus", package: "euripus")],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ],
  swiftLanguageModes: [.v6]
)
