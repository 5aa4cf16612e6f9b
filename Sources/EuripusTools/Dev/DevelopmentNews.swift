// SPDX-License-Identifier: MIT
import Foundation

/// The news for the pages, in a file that the server in development reads.
struct DevelopmentNews: Encodable {
  /// The number of edits of each file of the pages, by its path as a browser asks for it.
  var edits: [String: Int] = [:]
  /// The reason for which the program does not run as it was written; `nil` if it does.
  var fault: Fault?

  /// Writes it, so that a reader finds the old news or the new ones.
  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  private enum Key: CodingKey { case edits, fault }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(edits, forKey: .edits)
    // The page finds the member also where there is no fault.
    try values.encode(fault, forKey: .fault)
  }
}
