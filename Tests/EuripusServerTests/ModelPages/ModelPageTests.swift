// SPDX-License-Identifier: MIT
import Euripus
import Testing

@testable import EuripusOpenAPI

@Suite struct `A page that is made of a surface` {
  private static let sheet = ModelPage(.hosting { SheetViewModel() }, program: "app").file(params: nil)

  /// Whether the page has the lines of some HTML, wherever they begin.
  private func expect(_ html: String, in page: String = sheet, at place: SourceLocation = #_sourceLocation) {
    let lines = { (text: String) in
      text.split(separator: "\n").map { $0.trimming(while: \.isWhitespace) }.joined(separator: "\n")
    }
    let isThere = lines(page).contains(lines(html))
    #expect(isThere, "\(html)\n\nis not in\n\n\(page)", sourceLocation: place)
  }

  @Test func `says first which command has made it, and is the same each time`() {
    let start = "<!doctype html>\n<!-- Printed by `app page time-sheet`. "
    #expect(Self.sheet.hasPrefix(start))
    #expect(ModelPage(.hosting { SheetViewModel() }, program: "app").file(params: nil) == Self.sheet)
  }

  @Test func `escapes the words of the surface`() {
    expect(#"<p class="lead">Hours &amp; &lt;i&gt;minutes&lt;/i&gt;.</p>"#)
    #expect(!Self.sheet.contains("<i>minutes") && !Self.sheet.contains("<hours>"))
  }

  @Test func `has the name in words as title and heading, and loads the client first`() {
    expect("<title>Time sheet</title>\n<script type=\"module\" src=\"/euripus.js\"></script>")
    expect(#"<main class="page sheet" data-vm-root="time-sheet">"# + "\n<h1>Time sheet</h1>")
  }

  @Test func `has a labelled input for a text, which its description and its hint belong to`() {
    expect(
      """
      <label for="firstName">First name</label>
      <input type="text" autocomplete="off" data-vm-bind="firstName" id="firstName"
        aria-describedby="firstNameHint firstName:about">
      <p id="firstNameHint" class="about" role="status" data-vm-text="firstNameHint"></p>
      <p id="firstName:about" class="about">As in a &quot;passport&quot;.</p>
      """)
  }

  @Test func `has inputs by the types of values, with their bounds`() {
    expect(#"<input type="number" step="1" data-vm-bind="age" min="0" max="120" id="age">"#)
    expect(#"<textarea rows="3" data-vm-bind="essay" maxlength="2000" id="essay"></textarea>"#)
    expect(#"<label class="check"><input type="checkbox" data-vm-bind="isPublic"> Public</label>"#)
    expect(
      """
      <select data-vm-bind="size" id="size">
      <option value="small">Small</option>
      <option value="veryLarge">Very large</option>
      </select>
      """)
    expect(#"<input type="password" autocomplete="current-password" data-vm-bind="code" id="code">"#)
  }

  @Test func `has a field of a form with the bounds of its rules, and its error beside it`() {
    expect(
      """
      <input type="text" autocomplete="email" data-vm-field="email" required minlength="3" maxlength="80" id="email"
        aria-describedby="email:error">
      <p id="email:error" class="wrong" role="status" data-vm-text="email/error"></p>
      """)
  }

  @Test func `shows values with their names, truths as words, and others as JSON`() {
    expect("<dt>Total <small>All &lt;hours&gt;.</small></dt>\n<dd data-vm-text=\"total\"></dd>")
    expect(
      """
      <dt>Ready</dt>
      <dd>
      <span class="dot" data-vm-class-yes="isReady"></span>
      <span data-vm-show="isReady" hidden>yes</span>
      <span data-vm-show="!isReady">no</span>
      </dd>
      """)
    expect(#"<dd><json-value data-vm-prop-value="marks"></json-value></dd>"#)
    expect(#"<p class="message" role="status" data-vm-text="problem"></p>"#)
    expect(#"<dd><a data-vm-attr-href="link" data-vm-text="link"></a></dd>"#)
  }

  @Test func `has a link for a file that the session offers, also as a command's result`() {
    let words = Self.sheet.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for path in ["paper", "export/result"] {
      let link =
        #"<a data-vm-attr-href="\#(path)/url" data-vm-text="\#(path)/name" data-vm-show="\#(path)" download hidden></a>"#
      #expect(words.contains(link), "\(path)")
    }
  }

  @Test func `performs the first action of a form by its submit, under the action's condition`() {
    expect(#"<form class="card" data-vm-do="send">"#)
    expect(#"<button type="submit" class="small" data-vm-attr-aria-disabled="!canSend">Send</button>"#)
    expect(#"<p id="send:about" class="about"><b>Send:</b> Sends it.</p>"#)
    #expect(!Self.sheet.contains("Can send"), "the button shows it")
  }

  @Test func `shows a command's progress, result and error, and cancels it`() {
    expect(
      """
      <button type="button" class="small quiet" data-vm-do="save">Save</button>
      <button type="button" class="small quiet" data-vm-cancel="save" data-vm-show="save/executing" hidden>
      Cancel
      <span class="aloud">Save</span>
      </button>
      """)
    expect(
      """
      <b>Save:</b>
      <span data-vm-text="save/result"></span>
      <span class="wrong" data-vm-text="save/error/detail"></span>
      """)
    expect(#"<progress max="1" aria-label="Save" data-vm-attr-value="save/progress""#)
  }

  @Test func `asks for an action's value, by its type`() {
    expect(
      """
      <form class="ask" data-page-do="find">
      <label>Text <span class="aloud">for Find</span> <input type="text" autocomplete="off" data-page-value></label>
      <button type="submit" class="small quiet" data-vm-attr-aria-disabled="!find/enabled">Find</button>
      """)
    expect(#"<input type="text" autocomplete="off" list="move:part" data-page-value="part">"#)
    expect(#"step="1" data-page-value="place" data-page-type="number" data-page-null data-page-optional>"#)
    expect(##"<option data-vm-attr-value="#" data-vm-text="name"></option>"##)
    expect(#"<script type="module" src="/euripus-page.js"></script>"#)
  }

  @Test func `has a button for each of an action's few values`() {
    expect(
      """
      <b>Resize</b>
      <button type="button" class="small quiet" data-vm-do="resize" data-vm-arg="=small">Small</button>
      <button type="button" class="small quiet" data-vm-do="resize" data-vm-arg="=veryLarge">Very large</button>
      """)
  }

  @Test func `writes a value that is no text as a whole`() {
    expect(#"<form class="ask" data-page-set="tags">"#)
    expect(#"<textarea rows="3" data-page-value data-page-type="lines"></textarea>"#)
  }

  @Test func `has rows with their values, their inputs, and buttons that take the row's key`() {
    expect(
      """
      <template data-vm-each="parts">
      <li class="item" data-page-row="parts" data-vm-attr-data-page-key="#">
      <strong data-vm-text="name"></strong>
      <label class="field">Hours <input type="number" step="1" data-vm-bind="hours"></label>
      """)
    expect(
      """
      <button type="button" class="small quiet" data-vm-do="../removePart" data-vm-arg="#"
        data-vm-confirm="=Remove part?">
      Remove part
      <span class="aloud" data-vm-text="name"></span>
      </button>
      """)
    expect(#"<form class="ask" data-page-do="rename">"#)
    expect(#"<p class="below" data-vm-show="parts/order=" hidden>Nothing is here yet.</p>"#)
  }

  @Test func `scrolls through the window of a long list, whose rows are one line`() {
    expect(
      """
      <div class="window" tabindex="0" role="group" aria-labelledby="others" data-vm-window="others">
      <ul class="rows">
      <template data-vm-each="others">
      <li class="item">
      <strong data-vm-text="name"></strong>
      """)
  }

  @Test func `asks before it takes something away, and never does that by Enter`() {
    expect(
      """
      <button type="button" class="small quiet" data-vm-do="clear" data-vm-confirm="=Clear?">
      Clear
      <span class="aloud" data-vm-text="name"></span>
      """)
    #expect(!Self.sheet.contains(#"form class="line""#))
  }

  @Test func `has a section for a part while that is there, and one within itself only once`() {
    expect(
      """
      <template data-vm-if="child">
      <section class="part" aria-labelledby="child">
      <h2 id="child">Child</h2>
      """)
    expect(#"<json-value data-vm-prop-value="child/inner"></json-value>"#)
    #expect(!Self.sheet.contains("child/inner/inner"))
  }

  @Test func `tells an action of the device by itself, and leaves out what an input does`() {
    expect(#"<i hidden data-vm-do="willAppear" data-vm-on="visible"></i>"#)
    #expect(!Self.sheet.contains("firstNameDidChange"))
  }

  @Test func `has no id twice`() {
    let ids = Self.sheet.matches(of: #/ id="([^"]+)"/#).map { String($0.1) }
    #expect(ids.count == Set(ids).count && ids.count > 10)
  }

  @Test func `asks a person who was overtaken, where several write`() {
    let room = HostedModelType.hosting(scope: .room) { SheetOfYear($0) }
    expect(#"<p role="alert" class="notice" data-vm-conflict="note" hidden>"#, in: ModelPage(room).file(params: nil))
    expect(#"data-vm-choose="theirs""#, in: ModelPage(room).file(params: nil))
    #expect(!ModelPage(.hosting { SheetOfYear($0) }).file(params: nil).contains("data-vm-conflict"))
  }

  @Test func `opens its session with the given parameters, or with examples`() {
    let page = ModelPage(.hosting { SheetOfYear($0) }, program: "app")
    expect(
      #"data-vm-params="={&quot;year&quot;:0,&quot;isOpen&quot;:false}">"#, in: page.file(params: nil))
    expect("These are examples: write your own. -->", in: page.file(params: nil))
    let given = page.file(params: ["year": 2026, "isOpen": true])
    expect(#"data-vm-params="={&quot;year&quot;:2026,&quot;isOpen&quot;:true}">"#, in: given)
  }
}

extension Substring {
  fileprivate func trimming(while isTrimmed: (Character) -> Bool) -> Substring {
    drop(while: isTrimmed)
  }
}
