// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions
import Storing
import ViewModels

/// Files that a session offers to its clients (PROTOCOL §11).
extension Application {
  func download(_ call: Call) throws -> HTTPAnswer {
    let access = try access(call, isOfFile: true)
    let (key, isHead) = (call.path.name, call.request.method == "HEAD")
    let (conditions, range) = (ResourceConditions(call.request), WantedRange(call.request))
    return inSession(access) { [spool = host.spool] session in
      try session.check(nil)
      guard let offer = session.offered(key) else {
        throw Problem(.noDownload, "the session offers no file at this address")
      }
      let path =
        switch offer.place {
        case .spool: spool.path(of: SpooledFile(session: session.id, offer: key))
        case .path(let path): path
        }
      guard let path, let file = try OpenedFile(path, accepting: { _ in true }) else {
        throw Problem(.noDownload, "the file that was offered is not on this server's disk any more")
      }
      let type = MediaType.ofFile(offer.name)
      let response = HTTPResponse.attachment(file, named: offer.name, type: type).meeting(conditions).inRange(range)
      if !isHead, (200...206).contains(response.status) { session.give(offer) }
      return response
    }
  }
}
