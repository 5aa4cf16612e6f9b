// SPDX-License-Identifier: MIT
import EuripusServer
import Testing

@Suite struct `The version` {
  @Test(arguments: [
    ("CHANGELOG.md", "## \(EuripusServer.version)"), ("README.md", "this is \(EuripusServer.version)"),
    ("Examples/Clients/JavaScript/package.json", "\"version\": \"\(EuripusServer.version)\""),
    ("Examples/Clients/Python/pyproject.toml", "version = \"\(EuripusServer.version)\""),
  ])
  func `is the same in the change log, in the README and in the clients`(file: String, line: String) throws {
    let text = try Repository.text(file)
    // The change log has the latest version first.
    let written = text.split(separator: "\n").first { $0.contains(line.prefix { !$0.isNumber }) && $0.contains(/\d/) }
    #expect(written?.contains(line) == true, "\(file): \(written ?? "no version")")
  }
}
