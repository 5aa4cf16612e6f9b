// SPDX-License-Identifier: MIT

extension OpenAPIDocument {
  /// An introduction to the rest, in Markdown.
  static let introduction = """
    A view model lives on the server, in a session. A client opens one with POST, reads its state with GET, performs actions \
    with POST, sets values with PUT, and follows what changes with `changes`. All of it is JSON.

    **Versions.** Each state has a version, which is the `ETag`, the `since` of a request and the `to` of a frame. What comes \
    down is a *frame*: a patch (RFC 6902) from one version to another, or a whole state. A client applies a patch only to the \
    version that its `from` names, and asks with `since` for what it lacks; so nothing is lost, and nothing is applied twice.

    **Who may.** Opening the first session sets a cookie, which is the client's key; with `auth` `bearer` the key comes as a `token` \
    and is sent as `Authorization: Bearer`. A session is its owner's alone: to \
    everybody else it is as if it never was.

    **What goes wrong** is a problem (RFC 9457) whose `type` is a path with a page for people, and then nothing has been \
    applied. What a person typed wrong is no problem but part of the state.

    **Everywhere:** HEAD is answered wherever GET is, and OPTIONS on every path with `Allow`; another method is answered \
    `405`. Each member of a value that is an object can be read at a path of its own. A value whose formula failed is `null`.
    """
}
