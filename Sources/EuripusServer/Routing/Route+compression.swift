// SPDX-License-Identifier: MIT
import HTTPListening

extension Route {
  /// Whether the answer to a request may be compressed (Decisions/0043): where it is the same for all, or is asked for with a
  /// bearer's token alone, which no page of another site can make a browser send. Never where it may have a key in it or lists
  /// a client's sessions, nor where it is an app's own, of which that is not known.
  func mayCompress(_ request: HTTPRequest, _ identity: ClientIdentity) -> Bool {
    if own != nil { return false }
    if answers.contains(where: { $0.content == .ownSessions }) { return false }
    if path.isOfModel, !path.isInSession || !ClientKey.isBearerAlone(request, identity) { return false }
    return AcceptEncoding(request.list("Accept-Encoding")).best(of: [.gzip]) == .gzip
  }
}
