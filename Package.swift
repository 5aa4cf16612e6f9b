// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "euripus",
  products: [
    .library(name: "Euripus", targets: ["Euripus"]),
    .library(name: "EuripusApp", targets: ["EuripusApp"]),
    .library(name: "EuripusNodes", targets: ["EuripusNodes"]),
    .library(name: "EuripusPasswords", targets: ["EuripusPasswords"]),
    .library(name: "EuripusFoundation", targets: ["EuripusFoundation"]),
    .library(name: "ObservableCore", targets: ["ObservableCore"]),
    .library(name: "EventSequences", targets: ["EventSequences"]),
    .library(name: "EuripusTesting", targets: ["EuripusTesting"]),
    .executable(name: "euripus", targets: ["Demos"]),
  ],
  dependencies: [
    // Decisions/0004-argument-parser.md
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // Decisions/0026-swift-log.md
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    // Decisions/0027-swift-metrics.md
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
  ],
  // In reading order, from the ground up. A target may use only what it names here:
  // `make` builds with --explicit-target-dependency-import-check error.
  targets: [
    .target(name: "CRuntime"),
    .target(name: "ObservableCore", dependencies: ["CRuntime"], swiftSettings: strict),
    .target(
      name: "EventSequences", dependencies: ["ObservableCore"], path: "EventSequences/Sources", swiftSettings: strict),
    .target(name: "JSONPatching", dependencies: ["ObservableCore"], swiftSettings: strict),
    // Decisions/0046-values-of-an-app.md
    .target(name: "EuripusFoundation", dependencies: ["JSONPatching"], swiftSettings: strict),

    .target(name: "Locking", swiftSettings: strict),
    .target(name: "CMicroHTTPDShim", linkerSettings: [.linkedLibrary("microhttpd"), .linkedLibrary("gnutls")]),
    // Decisions/0043-compression.md
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(
      name: "HTTPListening", dependencies: ["CMicroHTTPDShim", "CZlib", "Locking"], swiftSettings: strict),

    .target(name: "ViewModels", dependencies: ["ObservableCore", "JSONPatching", "Locking"], swiftSettings: strict),
    .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
    .target(
      name: "Storing", dependencies: ["ViewModels", "ObservableCore", "JSONPatching", "Locking", "CNettle"],
      swiftSettings: strict),
    .target(
      name: "Sessions", dependencies: ["Storing", "ViewModels", "ObservableCore", "JSONPatching", "Locking"],
      swiftSettings: strict),
    // Decisions/0030-sqlite.md
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "SQLiteSessions", dependencies: ["Storing", "ViewModels", "ObservableCore", "Locking", "CSQLite"],
      swiftSettings: strict),
    // Decisions/0051-postgresql.md, 0053-nodes.md. With a pkgConfig SwiftPM would warn each app that has no such library.
    .systemLibrary(name: "CPostgreSQL", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-gnutls-dev"])]),
    .target(
      name: "EuripusNodes",
      dependencies: ["Storing", "ViewModels", "ObservableCore", "JSONPatching", "Locking", "CPostgreSQL", "CCurl"],
      swiftSettings: strict),
    .systemLibrary(name: "CMalloc"),
    .target(
      name: "EuripusServer",
      dependencies: [
        "Sessions", "Storing", "ViewModels", "JSONPatching", "HTTPListening", "Locking", "CMalloc",
        .product(name: "CoreMetrics", package: "swift-metrics"), .product(name: "Logging", package: "swift-log"),
      ], swiftSettings: strict),
    .target(
      name: "EuripusOpenAPI", dependencies: ["EuripusServer", "ViewModels", "JSONPatching"], swiftSettings: strict),
    .target(
      name: "Euripus",
      dependencies: [
        "ObservableCore", "JSONPatching", "ViewModels", "HTTPListening", "EuripusServer", "EuripusOpenAPI", "Sessions",
        "Storing",
        "SQLiteSessions",
      ],
      swiftSettings: strict),
    .target(
      name: "EuripusTesting",
      dependencies: [
        "Euripus", "SQLiteSessions", "Sessions", "Storing", "ViewModels", "JSONPatching", "Locking",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),

    // Decisions/0032-supervisor.md
    .target(name: "CSupervision"),
    .target(
      name: "EuripusApp",
      dependencies: [
        "CSupervision", "Euripus", "EuripusFoundation", "EuripusOpenAPI", "HTTPListening", "JSONPatching", "Locking",
        "ObservableCore", "SQLiteSessions", "Sessions", "Storing", "ViewModels",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    // The commands of `euripus` for who writes an app: Decisions/0069-tools-of-developers.md
    .target(
      name: "EuripusTools",
      dependencies: ["Locking", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: strict),
    // Decisions/0049-hashes-of-passwords.md, 0070-passwords-are-a-product.md
    .systemLibrary(name: "CSodium", providers: [.apt(["libsodium-dev"])]),
    .target(name: "EuripusPasswords", dependencies: ["CSodium"], swiftSettings: strict),
    .executableTarget(
      name: "Demos",
      dependencies: [
        "Euripus", "EuripusApp", "EuripusNodes", "EuripusPasswords", "EuripusTools", "Locking",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Demos",
      // For commands that are async methods, as in an app.
      swiftSettings: strict + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),

    // The program of the article "Build your own view model in ten minutes".
    .executableTarget(
      name: "Todo", dependencies: ["EuripusApp"], path: "Examples/Todo/Sources/Todo", swiftSettings: strict),
    .testTarget(
      name: "TodoTests", dependencies: ["Todo", "Euripus", "EuripusTesting"], path: "Examples/Todo/Tests/TodoTests",
      swiftSettings: strict),

    // The packages that `euripus new` makes.
    .executableTarget(
      name: "Starter", dependencies: ["EuripusApp"], path: "Templates/App/Sources/Starter",
      swiftSettings: strict + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    .testTarget(
      name: "StarterTests", dependencies: ["Starter", "EuripusTesting"], path: "Templates/App/Tests/StarterTests",
      swiftSettings: strict),
    .executableTarget(
      name: "Tally", dependencies: ["EuripusApp"], path: "Templates/Counter/Sources/Tally", swiftSettings: strict),
    .testTarget(
      name: "TallyTests", dependencies: ["Tally", "EuripusTesting"], path: "Templates/Counter/Tests/TallyTests",
      swiftSettings: strict),

    // A help desk with tables of its own.
    .executableTarget(
      name: "HelpDesk", dependencies: ["EuripusApp", "EuripusNodes"], path: "Examples/HelpDesk/Sources/HelpDesk",
      swiftSettings: strict + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    .testTarget(
      name: "HelpDeskTests", dependencies: ["HelpDesk", "EuripusApp", "EuripusTesting"],
      path: "Examples/HelpDesk/Tests/HelpDeskTests", swiftSettings: strict),

    // The client in Swift, a package of its own that can be copied.
    .target(name: "EuripusClient", path: "Examples/Clients/Swift/Sources/EuripusClient", swiftSettings: strict),
    .target(
      name: "EuripusMirror", dependencies: ["EuripusClient", "ObservableCore"],
      path: "Examples/Clients/Swift/Sources/EuripusMirror", swiftSettings: strict),
    .testTarget(
      name: "EuripusClientTests", dependencies: ["EuripusClient", "EuripusMirror"],
      path: "Examples/Clients/Swift/Tests/EuripusClientTests", swiftSettings: strict),
    .testTarget(
      name: "ClientTypesTests",
      dependencies: [
        "Demos", "Euripus", "EuripusApp", "EuripusClient", "EuripusFoundation", "EuripusMirror", "EuripusOpenAPI",
        "EuripusTesting", "JSONPatching", "Locking", "ObservableCore", "Todo", "ViewModels",
      ],
      exclude: ["typescript"],
      swiftSettings: strict + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),

    // The file that the tests write for the referee (Tests/Referee).
    .target(name: "CAtStart", path: "Tests/CAtStart"),
    // Random numbers that come again.
    .target(name: "Seeded", path: "Tests/Seeded", swiftSettings: strict),
    .target(
      name: "Recording", dependencies: ["CAtStart", "EuripusTesting", "JSONPatching"], path: "Tests/Recording",
      swiftSettings: strict),
    .testTarget(name: "ObservableCoreTests", dependencies: ["ObservableCore", "Seeded"], swiftSettings: strict),
    .testTarget(
      name: "EventSequencesTests", dependencies: ["EventSequences", "ObservableCore", "Locking", "Seeded"],
      path: "EventSequences/Tests",
      swiftSettings: strict),
    // It imports neither: the articles' programs do, which it builds.
    .testTarget(
      name: "DocumentationTests", dependencies: ["EuripusServer", "EventSequences", "ObservableCore"],
      swiftSettings: strict),
    .testTarget(
      name: "JSONPatchingTests", dependencies: ["JSONPatching", "Recording", "Seeded"], swiftSettings: strict),
    .testTarget(
      name: "EuripusFoundationTests",
      dependencies: ["Euripus", "EuripusFoundation", "EuripusTesting", "JSONPatching", "SQLiteSessions", "Seeded"],
      swiftSettings: strict),
    .testTarget(
      name: "EuripusPasswordsTests", dependencies: ["EuripusPasswords", "Locking"], swiftSettings: strict),
    .testTarget(
      name: "HTTPListeningTests", dependencies: ["HTTPListening", "CMicroHTTPDShim", "Locking", "Seeded"],
      swiftSettings: strict),
    .testTarget(
      name: "ViewModelsTests",
      dependencies: [
        "ViewModels", "ObservableCore", "JSONPatching", "EuripusTesting", "Locking", "Recording", "CMalloc", "Seeded",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "EuripusTestingTests",
      dependencies: ["EuripusApp", "EuripusTesting", "ViewModels", "ObservableCore", "JSONPatching", "Locking"],
      swiftSettings: strict + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    // The Swift of the guides of `Euripus.docc` that have no test elsewhere.
    .testTarget(
      name: "GuidesTests", dependencies: ["Euripus", "EuripusApp", "EuripusTesting", "ObservableCore"],
      swiftSettings: strict + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    .testTarget(
      name: "SessionsTests",
      dependencies: [
        "Sessions", "Storing", "StoreRules", "ViewModels", "ObservableCore", "JSONPatching", "EuripusTesting",
        "Locking", "Seeded",
      ],
      swiftSettings: strict),
    // The rules of all stores of sessions.
    .target(
      name: "StoreRules", dependencies: ["Storing", "ViewModels", "Locking", "Seeded"], path: "Tests/StoreRules",
      swiftSettings: strict),
    .testTarget(
      name: "StoringTests", dependencies: ["Storing", "StoreRules", "ViewModels", "Locking", "Seeded"],
      swiftSettings: strict),
    // Layers under SQLite that fail when they are told to.
    .target(name: "CFaultyFiles", dependencies: ["CSQLite"], path: "Tests/CFaultyFiles"),
    // The costs of the store, for `make bench-store`.
    .executableTarget(
      name: "StoreBenchmark", dependencies: ["SQLiteSessions", "Storing", "Seeded"],
      path: "Benchmarks/Store",
      swiftSettings: strict),
    .testTarget(
      name: "SQLiteSessionsTests",
      dependencies: [
        "SQLiteSessions", "Storing", "StoreRules", "ViewModels", "CFaultyFiles", "Seeded",
      ],
      swiftSettings: strict),
    // It needs the server that Scripts/with-postgresql.sh starts, and fails without it.
    .testTarget(
      name: "EuripusNodesTests",
      dependencies: ["Euripus", "EuripusNodes", "EuripusTesting", "Storing", "StoreRules", "ViewModels", "Seeded"],
      swiftSettings: strict
    ),
    // A server whose view models trap when they are told to, and its supervisor.
    .executableTarget(
      name: "TrappingServer",
      dependencies: ["EuripusApp", "HTTPListening", "ViewModels"],
      path: "Tests/TrappingServer", swiftSettings: strict,
      // Names without line numbers, as in the image: to read those would hold up the restart.
      linkerSettings: [.unsafeFlags(["-Xlinker", "-S"])]),
    .testTarget(
      name: "SupervisionTests",
      dependencies: [
        "EuripusApp", "TrappingServer", "EuripusTesting", "JSONPatching", "Locking", "ObservableCore", "ViewModels",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "EuripusServerTests",
      dependencies: [
        "EuripusServer", "EuripusOpenAPI", "Euripus", "EuripusNodes", "EuripusTesting", "ViewModels", "JSONPatching",
        "HTTPListening", "Locking", "Recording", .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"), "Seeded", "Sessions", "Storing", "StoreRules",
      ], swiftSettings: strict),
    .testTarget(
      name: "CorpusTests",
      dependencies: ["EuripusServer", "HTTPListening", "Sessions", "Storing", "JSONPatching", "Recording"],
      swiftSettings: strict),
    // Servers in the tests' process, with a network that loses and delays, or a store whose files fail.
    .testTarget(
      name: "FaultTests",
      dependencies: [
        "Euripus", "EuripusTesting", "SQLiteSessions", "Sessions", "Storing", "HTTPListening", "JSONPatching",
        "Locking",
        "CFaultyFiles", "Recording", "Seeded",
      ],
      swiftSettings: strict),
    // A server whose view models cost as much as they are told to, for `make abuse`.
    .executableTarget(
      name: "AbusedServer", dependencies: ["Euripus"], path: "Tests/AbusedServer", swiftSettings: strict),
    // A server that is killed and started again (Tests/Faults).
    .executableTarget(
      name: "LedgerServer",
      dependencies: ["Euripus", "EuripusNodes", "SQLiteSessions", "Storing", "ViewModels", "Locking"],
      path: "Tests/LedgerServer", swiftSettings: strict),
    .testTarget(
      name: "DemosTests",
      dependencies: [
        "Demos", "Euripus", "EuripusApp", "EuripusPasswords", "EuripusTesting", "ObservableCore", "JSONPatching",
        "Locking",
        "Recording",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "EuripusToolsTests",
      dependencies: ["EuripusTools", "Euripus", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: strict),
    // The program of somebody else.
    .executableTarget(
      name: "BoardApp", dependencies: ["EuripusApp", "EuripusNodes"], path: "Tests/BoardApp", swiftSettings: strict),
    // An app in which one signs in, for the browser tests.
    .executableTarget(
      name: "GatehouseApp", dependencies: ["EuripusApp"], path: "Tests/GatehouseApp", swiftSettings: strict),
    .testTarget(
      name: "EuripusCommandTests",
      dependencies: [
        "Demos", "BoardApp", "GatehouseApp", "LedgerServer", "Euripus", "EuripusApp", "EuripusTesting", "JSONPatching",
        "EuripusNodes", "SQLiteSessions", "Sessions", "Storing", "CFaultyFiles",
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// The address and the thread sanitizer look at these alone (Scripts/test-sanitizers.sh).
if Context.environment["EURIPUS_SANITIZED"] != nil {
  let sanitized = [
    "ObservableCoreTests", "ViewModelsTests", "StoringTests", "SessionsTests", "HTTPListeningTests",
    "SQLiteSessionsTests",
  ]
  // Their programs, and all that is above them, are left out.
  let above = ["EuripusApp", "EuripusTools"]
  package.products.removeAll { ["euripus", "EuripusApp"].contains($0.name) }
  package.targets.removeAll {
    $0.type == .executable || $0.type == .test && !sanitized.contains($0.name) || above.contains($0.name)
  }
}

// `make test` leaves out the tests that `make test-all` runs, and the programs that those start: the Makefile names them.
if let names = Context.environment["EURIPUS_WITHOUT"]?.split(separator: " ") {
  package.targets.removeAll { names.contains(Substring($0.name)) }
}
