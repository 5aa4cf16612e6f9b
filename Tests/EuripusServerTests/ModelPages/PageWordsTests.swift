// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

@testable import EuripusOpenAPI

@Suite struct `The words of a page` {
  @Test(arguments: [
    ("title", "Title"), ("newLength", "New length"), ("is-on", "Is on"), ("theHTMLPage", "The HTML page"),
    ("userID", "User ID"),
    ("line2", "Line2"), ("a_b", "A b"), ("-", "-"), ("A", "A"),
  ])
  func `are those of a name`(name: String, words: String) { #expect(PageWords.of(name) == words) }

  @Test func `leave out 'is' where they are beside a tick`() {
    #expect(
      ["isPublic", "is-on", "is", "island", "canAdd"].map(PageWords.ofTruth) == [
        "Public", "On", "Is", "Island", "Can add",
      ])
  }
}

@Suite struct `A piece of HTML` {
  @Test func `escapes texts and attributes, and keeps a comment from ending early`() {
    let markup = Markup.tag("p", ["title": "\"a\" & b"], "<script>")
    #expect(markup.printed() == "<p title=\"&quot;a&quot; &amp; b\">&lt;script&gt;</p>\n")
    #expect(Markup.comment("a --> b").printed() == "<!-- a - -> b -->\n")
  }

  @Test func `is on one line while it is short, and breaks between elements and attributes`() {
    let words = Array(repeating: "word", count: 22).joined(separator: " ")
    let markup = Markup.tag("p", ["class": "a"], [.text(words + " "), .tag("b", [:], "end of it")])
    #expect(markup.printed(depth: 1) == "  <p class=\"a\">\n    \(words)\n    <b>end of it</b>\n  </p>\n")
    let long = Markup.tag("input", ["type": "text", "title": words, "data-vm-bind": "text"])
    #expect(long.printed() == "<input type=\"text\"\n    title=\"\(words)\"\n    data-vm-bind=\"text\">\n")
  }

  @Test func `leaves out attributes without a value, and has empty ones by their names alone`() {
    let markup = Markup.tag("option", ["title": nil, "hidden": "", "value": ""], "none")
    #expect(markup.printed() == "<option hidden value=\"\">none</option>\n")
  }
}

@Suite struct `The control for a value` {
  @Test func `follows the type`() {
    let forms: [(JSONSchema, PageControl.Form)] = [
      (.string, .text(type: "text")), (.integer(), .number(isWhole: true)), (.number, .number(isWhole: false)),
      (.boolean, .tick), (.string(oneOf: ["a", "b"]), .choice(["a", "b"])),
      (.integer(oneOf: [1, 3]), .numbers([1, 3])),
      (.array(of: .string), .lines), (.array(of: .integer()), .json), (.dictionary(of: .string), .json), (.any, .json),
      (JSONSchema(["type": "string", "format": "date-time"]), .day), (.any(of: [.string, .integer()]), .json),
      (.object([("inner", .object([("a", .string)]))]), .json),
    ]
    for (schema, form) in forms {
      #expect(PageControl(schema).form == form)
      #expect(PageControl(schema.orNull).form == form)
    }
    #expect(PageControl(.string.orNull).isNullable && !PageControl(.string).isNullable)
    #expect(PageControl(.string(oneOf: ["a"]).orNull).isNullable)
  }

  @Test func `has the bounds, but not those of every number`() {
    let names = { (schema: JSONSchema) in PageControl(schema).bounds.map { "\($0.name)=\($0.value)" } }
    #expect(names(.integer(in: 0...9)) == ["min=0", "max=9"])
    #expect(names(.integer()) == [])
    #expect(names(.number(in: 0...0.5)) == ["min=0", "max=0.5"])
    #expect(names(JSONSchema(["type": "string", "minLength": 2, "maxLength": 9])) == ["minlength=2", "maxlength=9"])
  }
}
