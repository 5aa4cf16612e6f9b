// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

@Suite struct `JSON for people` {
  @Test func `is JSON text`() {
    let json: JSON = ["a": [1, 2.5, .null, "b\n"], "c": true]
    #expect("\(json)" == #"{"a":[1,2.5,null,"b\n"],"c":true}"#)
    #expect(String(reflecting: json) == "\(json)")
    #expect("\(JSON.Member(name: "a\"", value: 1))" == #""a\"":1"#)
    #expect("\([JSON.null, 1])" == "[null, 1]")
  }
}
