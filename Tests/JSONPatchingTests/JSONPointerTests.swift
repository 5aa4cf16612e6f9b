// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

@Suite struct `A pointer` {
  /// RFC 6901 §5.
  @Test(arguments: [
    ("", []), ("/foo", ["foo"]), ("/foo/0", ["foo", "0"]), ("/", [""]), ("/a~1b", ["a/b"]), ("/c%d", ["c%d"]),
    ("/e^f", ["e^f"]),
    ("/g|h", ["g|h"]), ("/i\\j", ["i\\j"]), ("/k\"l", ["k\"l"]), ("/ ", [" "]), ("/m~0n", ["m~n"]), ("/~01", ["~1"]),
    ("//", ["", ""]), ("/用户名/~0~1", ["用户名", "~/"]),
  ])
  func `is read by RFC 6901 and written back the same`(text: String, tokens: [String]) {
    let pointer = JSONPointer(text)
    #expect(pointer?.tokens == tokens)
    #expect(pointer?.description == text)
  }

  @Test(arguments: ["foo", " /a", "/~", "/~2", "/a~/b", "/a/~", "#/a"])
  func `is nil for a text of another form`(text: String) { #expect(JSONPointer(text) == nil) }

  @Test func `escapes what would end a token`() {
    #expect(JSONPointer.escape("a/b~c") == "a~1b~0c")
    #expect(JSONPointer.escape("plain") == "plain")
  }
}
