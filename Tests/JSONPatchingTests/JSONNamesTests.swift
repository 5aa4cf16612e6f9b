// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

/// No object has a name twice. Names are the same if their code points are the same (PROTOCOL §7).
@Suite struct `Two names of one object` {
  @Test(arguments: [
    (#"{"a":1,"a":1}"#, 7), (#"{"a":1,"b":2,"a":3}"#, 13), (#"{"":1,"":2}"#, 6), (#"{"a":1, "\u0061":2}"#, 8),
    (#"{"/":1,"\/":2}"#, 7), (#"{"\n":1,"\u000a":2}"#, 8), (#"{"\u000A":1,"\u000a":2}"#, 12),
    (#"{"😀":1,"\ud83d\ude00":2}"#, 10), (#"{"\u0000":1,"\u0000":2}"#, 12), (#"{"é":{"b":1,"b":2}}"#, 13),
    (#"[{"a":1},{"a":1,"a":2}]"#, 16), (#"{"a":{"a":1},"a":2}"#, 13), (#"{"~1":0,"\u007e1":0}"#, 8),
  ])
  func `are refused if they are equal once unescaped, where the second starts`(text: String, offset: Int) {
    let error = #expect(throws: JSONError.self) { try read(text) }
    #expect(error?.offset == offset, "\(error?.description ?? "")")
    #expect(error?.found == "a duplicate")
  }

  @Test(arguments: [
    "{\"\u{E9}\":1,\"e\u{301}\":2}", "{\"\u{212B}\":1,\"\u{C5}\":2}",
    "{\"\u{1E9B}\u{323}\":1,\"\u{1E9B}\u{323}\u{200D}\":2}",
    "{\"ﬁ\":1,\"fi\":2}", #"{"a":1,"A":2}"#, #"{"a":1,"a ":2}"#, #"{"a":1,"a\u0000":2}"#, #"{"1":1,"1.0":2}"#,
    #"{"a":{"a":{"a":1}}}"#, #"[{"a":1},{"a":2}]"#, "{\"\u{AC00}\":1,\"\u{1100}\u{1161}\":2}", #"{"a/b":1,"a~1b":2}"#,
  ])
  func `are two if any code point differs, canonically equivalent or not`(text: String) throws {
    let value = try read(text)
    #expect(written(value) == text)
    if let members = value.members, members.count == 2 {
      #expect(value[members[0].name] == members[0].value)
      #expect(value[members[1].name] == members[1].value)
    }
  }
}
