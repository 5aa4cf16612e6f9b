// SPDX-License-Identifier: MIT
import ObservableCore

/// Ways to another page: one to which the client is sent, and links to other places of this one.
extension SessionContext {
  /// Sends the client that acts to another page of this server, once the action or the command that calls this is over.
  ///
  /// ```swift
  /// func order(_ database: DatabaseTransaction) throws {
  ///   let id = try book(database)
  ///   try context.go(to: "/orders/\(id)")
  /// }
  /// ```
  ///
  /// The answer to the request has it as `"location"` (PROTOCOL §3), and the page goes there. Other pages that show the
  /// same session stay where they are. Nothing comes of it if the action fails. Of several calls the last one counts.
  /// A view model whose page is to show another place of itself sets the values that are in its address instead.
  ///
  /// - Parameter path: a path, as in a link: `/orders/7?new`. What comes from a client belongs there only percent-encoded.
  /// - Throws: ``InvalidDestination`` for what is no path; ``GoingNeedsRequest`` where no request waits.
  public func go(to path: String) throws {
    let bytes = path.utf8
    // Browsers take `//` for the beginning of another host.
    guard bytes.first == UInt8(ascii: "/"), bytes.dropFirst().first != UInt8(ascii: "/"), Self.isPlain(path) else {
      throw InvalidDestination(text: path, expected: "a path of this server, such as '/orders/7'")
    }
    try send(to: path)
  }

  /// Sends the client that acts to a page of another site, such as one where it pays, as ``go(to:)`` does.
  ///
  /// - Parameter url: an absolute URL of `https` or `http`. A text from a client must not decide about its host.
  /// - Throws: ``InvalidDestination`` for another text; ``GoingNeedsRequest`` where no request waits.
  public func go(toOtherSite url: String) throws {
    let scheme = ["https://", "http://"].first { url.utf8.starts(with: $0.utf8) }
    guard let scheme, let host = url.utf8.dropFirst(scheme.utf8.count).first, Self.isPlain(url),
      !"/?#".utf8.contains(host)
    else {
      throw InvalidDestination(text: url, expected: "a URL of another site, such as 'https://example.com/pay'")
    }
    try send(to: url)
  }

  /// Whether browsers take a text as it is: they pass over tabs and line breaks, and take `\` for `/`.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.count <= AddressHome.maxBytes
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
  }

  private func send(to address: String) throws {
    guard let request = answering() else { throw GoingNeedsRequest() }
    // Steps of commands for several requests may run before any of them is answered.
    let others = destinations.value.filter { $0.request !== request }
    try destinations.set(others + [Destination(address: address, request: request)])
    didGo()
  }

  /// Takes the destinations of transactions that have passed; the next call gives none.
  package func takeDestinations() -> [Destination] {
    let taken = destinations.value
    // Nobody observes it.
    if !taken.isEmpty { try? destinations.set([]) }
    return taken
  }

  /// The address of this page at other steps of its path, with the values that are in the address now: a link of a row to
  /// its own page that keeps the filter.
  ///
  /// ```swift
  /// lazy var link = Computed(self) { $0.context.address(at: [$0.id]) }
  /// ```
  ///
  /// A formula that calls it follows these values. It costs as much as the values are long, for each row.
  ///
  /// - Parameter steps: the steps of the coordinator's path, as plain texts.
  public func address(at steps: [String]) -> String {
    addressing?(steps) ?? home.write(Address(steps: steps, items: []))
  }
}

/// The place to which a transaction sends the client that acts.
package struct Destination: Equatable {
  package let address: String
  /// The request whose answer says so.
  package let request: AnyObject

  package static func == (left: Destination, right: Destination) -> Bool {
    left.address == right.address && left.request === right.request
  }
}

/// A text that ``SessionContext/go(to:)`` does not send a client to.
public struct InvalidDestination: Error, CustomStringConvertible {
  let text: String
  let expected: String

  public var description: String {
    "a client was to be sent to '\(text.prefix(200))'; expected \(expected), of \(AddressHome.maxBytes) bytes at most, with all but "
      + "ASCII characters percent-encoded"
  }
}

/// A client was sent to another page where no request waits, whose answer would tell it.
public struct GoingNeedsRequest: Error, CustomStringConvertible {
  public var description: String {
    "a client was sent to another page where no request waits for its answer, which would tell it; expected an action, or a "
      + "command whose request waits for its end: write 'awaitsCommands: true' where the view model is hosted"
  }
}
