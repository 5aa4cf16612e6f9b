// SPDX-License-Identifier: MIT
import HTTPListening

extension Route {
  /// Whether the answer to a request may be compressed (Decisions/0043). It may if it is the same for all
  /// clients. It may too if the request has only a bearer's token, as no page of another site can make a
  /// browser send that. It never may if the answer may contain a key, if it lists a client's sessions, or if it
  /// is of an app's route, whose contents are not known.
  func mayCompress(_ request: HTTPRequest, _ caller: Caller) -> Bool {
    if own != nil { return false }
    if answers.contains(where: { $0.content == .ownSessions }) { return false }
    if path.isOfModel, !path.isInSession || !ClientKey.isBearerAlone(request, caller.cookie) { return false }
    return AcceptEncoding(request.list("Accept-Encoding")).best(of: [.gzip]) == .gzip
  }
}
