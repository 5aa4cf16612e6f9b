// SPDX-License-Identifier: MIT
import JSONPatching
import Sessions
import Storing
import ViewModels

extension ModelDriver {
  /// Fetches a file that the view model offers, as a client does.
  ///
  /// ```swift
  /// try driver.perform("export")
  /// #expect(try driver.download("table") == Array("month,hours\r\n".utf8))
  /// ```
  ///
  /// - Parameter path: the path of a `FileOffer` in the state.
  /// - Returns: the file's bytes.
  /// - Throws: `FileFault` where none is offered, or its bytes are not there.
  public func download(_ path: String) throws -> [UInt8] {
    guard case .string(let url)? = self[path + "/url"], let key = url.split(separator: "/").last.map(String.init) else {
      throw FileFault("the state has no file at '\(path)'; expected the path of a FileOffer")
    }
    let spool = driven.host.spool
    return try entering { session in
      Result { () throws(FileFault) in
        guard let offer = session.offered(key) else { throw FileFault("the file at '\(path)' is not offered any more") }
        let bytes =
          switch offer.place {
          case .spool: try spool.read(SpooledFile(session: session.id, offer: key))
          case .path(let path): try spool.read(at: path)
          }
        session.give(offer)
        return bytes
      }
    }.get()
  }
}
