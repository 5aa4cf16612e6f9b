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

  @Test func `escapes the characters that would end a token`() {
    #expect(JSONPointer.escape("a/b~c") == "a~1b~0c")
    #expect(JSONPointer.escape("plain") == "plain")
  }
}

@Suite struct `A patch` {
  /// The examples of RFC 6902, appendix A, for the four operations: A.1 to A.7, A.10, A.11, A.16. Then cases of §4.
  @Test(arguments: [
    (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#, #"{"foo":"bar","baz":"qux"}"#),
    (#"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#, #"{"foo":["bar","qux","baz"]}"#),
    (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
    (#"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#, #"{"foo":["bar","baz"]}"#),
    (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#, #"{"baz":"boo","foo":"bar"}"#),
    (
      #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
      #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
      #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
    ),
    (
      #"{"foo":["all","grass","cows","eat"]}"#, #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
      #"{"foo":["all","cows","eat","grass"]}"#
    ),
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
      #"{"foo":"bar","child":{"grandchild":{}}}"#
    ),
    (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#, #"{"foo":"bar","baz":"qux"}"#),
    (#"{"foo":["bar"]}"#, #"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#, #"{"foo":["bar",["abc","def"]]}"#),
    (#"{"a":1}"#, #"[{"op":"add","path":"/a","value":2}]"#, #"{"a":2}"#),
    (#"{"a":1}"#, #"[{"op":"replace","path":"","value":[]}]"#, "[]"),
    (#"{"a":1}"#, #"[{"op":"add","path":"","value":null}]"#, "null"),
    (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":""}]"#, "1"),
    (#"{"a":1}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#, #"{"a":1}"#),
    (#"{"a":[0]}"#, #"[{"op":"add","path":"/a/1","value":1},{"op":"remove","path":"/a/0"}]"#, #"{"a":[1]}"#),
    (#"{"a/b":{"m~n":1}}"#, #"[{"op":"replace","path":"/a~1b/m~0n","value":2}]"#, #"{"a/b":{"m~n":2}}"#),
    (#"{"aa":1,"a":2}"#, #"[{"op":"move","from":"/a","path":"/aab"}]"#, #"{"aa":1,"aab":2}"#),
    ("[[1],[2]]", "[]", "[[1],[2]]"),
  ])
  func `gives the results of RFC 6902`(document: String, patch: String, result: String) throws {
    #expect(written(try read(document).applying([PatchOperation](json: read(patch)))) == result)
  }

  @Test(arguments: [
    (#"{"foo":"bar"}"#, #"{"op":"add","path":"/baz/bat","value":"qux"}"#, "there is no member 'baz'"),
    (#"{"foo":"bar"}"#, #"{"op":"remove","path":"/baz"}"#, "there is no such member"),
    (#"{"foo":"bar"}"#, #"{"op":"replace","path":"/baz","value":1}"#, "there is no member 'baz'"),
    ("[1]", #"{"op":"add","path":"/2","value":1}"#, "the index 2 is past the end"),
    ("[1]", #"{"op":"remove","path":"/1"}"#, "the index 1 is past the end"),
    ("[1]", #"{"op":"remove","path":"/-"}"#, "'-' is no index of an array"),
    ("[1]", #"{"op":"replace","path":"/-","value":1}"#, "'-' is no index of an array"),
    ("[1,2]", #"{"op":"remove","path":"/01"}"#, "'01' is no index of an array"),
    ("[1]", #"{"op":"remove","path":"/"}"#, "'' is no index of an array"),
    ("[1]", #"{"op":"remove","path":"/+0"}"#, "'+0' is no index of an array"),
    ("[1]", #"{"op":"remove","path":"/99999999999999999999"}"#, "'99999999999999999999' is no index of an array"),
    ("[1]", #"{"op":"remove","path":""}"#, "the whole value cannot be removed"),
    (#"{"a":"b"}"#, #"{"op":"add","path":"/a/c","value":1}"#, "its parent is no object or array but string"),
    (#"{"a":"b"}"#, #"{"op":"replace","path":"/a/c","value":1}"#, "there is nothing inside string"),
    (#"{"a":{"b":1}}"#, #"{"op":"move","from":"/a","path":"/a/b"}"#, "a value cannot move into itself"),
    (#"{"a":1}"#, #"{"op":"move","from":"/b","path":"/a"}"#, "there is no such member"),
  ])
  func `that does not fit changes nothing and says where and why`(document: String, operation: String, reason: String)
    throws
  {
    let value = try read(document)
    let patch = try [PatchOperation](json: read(#"[{"op":"add","path":"","value":\#(document)},\#(operation)]"#))
    let error = #expect(throws: PatchError.self) { try value.applying(patch) }
    #expect(error?.index == 1)
    #expect(error?.reason == reason)
    #expect(value == (try read(document)))
  }

  @Test(arguments: [
    ("{}", "expected array of patch operation, got object"),
    ("[1]", "expected patch operation, got integer at /0"),
    ("[{}]", "expected string, got nothing at /0/op"),
    (#"[{"op":1,"path":""}]"#, "expected string, got integer at /0/op"),
    (
      #"[{"op":"test","path":"","value":1}]"#,
      "expected one of: add, move, remove, replace, got another operation at /0/op"
    ),
    (#"[{"op":"remove","path":""},{"op":"add","path":""}]"#, "expected a value, got nothing at /1/value"),
    (#"[{"op":"remove"}]"#, "expected a JSON Pointer, got nothing at /0/path"),
    (#"[{"op":"remove","path":"a"}]"#, "expected a JSON Pointer, got another text at /0/path"),
    (#"[{"op":"move","path":"/a","from":1}]"#, "expected a JSON Pointer, got integer at /0/from"),
  ])
  func `is refused with the place if it has another form`(text: String, description: String) {
    let error = #expect(throws: JSONMismatch.self) { _ = try [PatchOperation](json: read(text)) }
    #expect(error?.description == description)
  }

  @Test func `is written as it is read`() throws {
    let text =
      #"[{"op":"add","path":"/a~1b","value":{"x":null}},{"op":"remove","path":""},"#
      + #"{"op":"replace","path":"/a/0","value":1.5},{"op":"move","from":"/a","path":"/b"}]"#
    var writer = JSONWriter()
    try [PatchOperation](json: read(text)).write(to: &writer)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
  }
}
