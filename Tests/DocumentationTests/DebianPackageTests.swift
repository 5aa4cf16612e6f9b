// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The Debian packages that the guides, the Makefile and the image install, held to the libraries of `Package.swift`.
@Suite struct `The packages to install` {
  /// The package of the library itself for each package with headers, as Debian 12 calls them.
  static let libraries = [
    "libmicrohttpd-dev": "libmicrohttpd12", "nettle-dev": "libnettle8", "libsqlite3-dev": "libsqlite3-0",
    "libpq-dev": "libpq5", "libcurl4-gnutls-dev": "libcurl3-gnutls",
    "zlib1g-dev": "zlib1g", "libsodium-dev": "libsodium23",
  ]

  private let manifest: String

  init() throws { manifest = try Repository.text("Package.swift") }

  /// The packages with headers that a target and its dependencies are built with.
  private func headers(of target: String) -> Set<String> {
    var dependencies: [String: [String]] = [:]
    for found in manifest.matches(of: #/[tT]arget\(\s*name: "(\w+)",\s*dependencies: \[([^\]]*)\]/#) {
      dependencies[String(found.1)] = found.2.matches(of: #/"(\w+)"/#).map { String($0.1) }
    }
    var packages: [String: String] = [:]
    for found in manifest.matches(of: #/systemLibrary\(name: "(\w+)".*apt\(\["([^"]+)"\]\)/#) {
      packages[String(found.1)] = String(found.2)
    }
    // A shim links libmicrohttpd, so it is no system library to SwiftPM.
    packages["CMicroHTTPDShim"] = "libmicrohttpd-dev"
    var (reached, next) = (Set<String>(), [target])
    while let name = next.popLast() {
      if reached.insert(name).inserted { next += dependencies[name] ?? [] }
    }
    return Set(reached.compactMap { packages[$0] })
  }

  private func named(in file: String, after pattern: Regex<(Substring, Substring)>) throws -> [Set<String>] {
    try Repository.text(file).matches(of: pattern).map { found in
      Set(found.1.split { $0.isWhitespace || $0 == "\\" }.map(String.init))
    }
  }

  @Test func `for an app of one's own are the same in each guide`() throws {
    let building = headers(of: "EuripusApp").union(["pkg-config"])
    #expect(building.count == 5)
    let running = Set(headers(of: "EuripusApp").compactMap { Self.libraries[$0] })
    let guide = "Sources/Euripus/Euripus.docc/TenMinutes.md"
    #expect(
      try named(in: guide, after: #/(?:apt-get install|install -y) (libmicrohttpd-dev[^`\n]*)/#) == [
        building, building,
      ])
    #expect(
      try named(in: guide, after: #/(?:--no-install-recommends |`)(libmicrohttpd12[^`&]*)/#) == [
        running, running,
      ])
    #expect(try named(in: "README.md", after: #/`(libmicrohttpd-dev[^`]*)`/#) == [building])
    let more = headers(of: "EuripusNodes").subtracting(building)
    let deploying = "Sources/Euripus/Euripus.docc/Deploying.md"
    #expect(more.count == 2)
    #expect(try named(in: deploying, after: #/`(libpq-dev[^`]*)`/#) == [more])
    #expect(try named(in: deploying, after: #/`(libpq5[^`]*)`/#) == [Set(more.compactMap { Self.libraries[$0] })])
  }

  @Test func `are not looked for where an app does not need them`() {
    // SwiftPM asks pkg-config for those of all targets, and warns where one is missing.
    let asked = manifest.matches(of: #/pkgConfig: .*apt\(\["([^"]+)"\]\)/#).map { String($0.1) }
    #expect(Set(asked) == headers(of: "EuripusApp").subtracting(["libmicrohttpd-dev"]))
  }

  @Test func `for a new package are the same in its papers`() throws {
    let building = headers(of: "EuripusApp").union(["pkg-config"])
    let running = Set(headers(of: "EuripusApp").compactMap { Self.libraries[$0] })
    for file in ["README.md", "Dockerfile", ".devcontainer/Dockerfile", ".github/workflows/test.yml"] {
      let pattern = #/(?:apt-get install|install -y|install -y -qq)(?: curl)? (libmicrohttpd-dev[^`\n\\]*)/#
      #expect(try named(in: "Templates/App/\(file)", after: pattern) == [building], "\(file)")
    }
    #expect(
      try named(in: "Templates/App/Dockerfile", after: #/--no-install-recommends (libmicrohttpd12[^&\\]*)/#) == [
        running
      ])
  }

  @Test func `are followed by the same build in the Dockerfiles of a new package and of the guide`() throws {
    func build(_ file: String, of program: String) throws -> Substring? {
      let text = try Repository.text(file).replacing(program, with: "PROGRAM")
      return text.firstMatch(of: #/swift build -c release[^\n]*\\\n(?:.*\n)*?FROM .*\n/#)?.0
    }
    let made = try build("Templates/App/Dockerfile", of: "Starter")
    #expect(try made == build("Sources/Euripus/Euripus.docc/TenMinutes.md", of: "Todo") && made != nil)
  }

  @Test func `for the demos are the same in the Makefile and in the image`() throws {
    let headers = headers(of: "Demos")
    let building = headers.union(["pkg-config"])
    let running = Set(headers.compactMap { Self.libraries[$0] })
    #expect(running.count == headers.count)
    #expect(try named(in: "Makefile", after: #/BUILD_PACKAGES = ([^\\]*)/#) == [building])
    #expect(
      try named(in: "Dockerfile", after: #/--no-install-recommends ([^&]*)/#) == [building, running])
  }
}
