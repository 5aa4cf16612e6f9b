// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

@testable import EuripusServer

@Suite struct PreferencesTests {
  @Test(arguments: [
    ("wait=5", 5), ("Wait=5", 5), ("WAIT = 5", 5), (" wait\t=\t5 ", 5), ("wait=\"5\"", 5), ("wait= \"5\" ", 5),
    ("respond-async, wait=7", 7), ("wait=5;x=1", 5), ("wait=5, wait=9", 5), ("wait=, wait=9", 9), ("=3, wait=4", 4),
    ("wait=55", 55), ("wait=56", 55), ("wait=000000000000000000000000000007", 7),
    ("wait=99999999999999999999999999", 55),
  ])
  func `a wait is read, and is 55 s at most`(field: String, seconds: Int) {
    #expect(Preferences(field).wait == seconds)
  }

  @Test(arguments: [
    "", ",", "wait", "wait=", "wait= ", "wait=0", "wait=-1", "wait=1.5", "wait=a", "wait=5 5", "wait=\"\"", "wait=\"",
    "waits=5",
    "await=5", "x;wait=5", "return=minimal", "return=5", "wait=1\u{660}", "w\u{61}\u{301}it=5",
  ])
  func `a wait of less than a second, or none, is ignored`(field: String) {
    #expect(Preferences(field).wait == nil)
  }

  @Test func `no field is no wait`() { #expect(Preferences(nil).wait == nil) }

  @Test(arguments: [
    ("return=minimal", true), ("Return = \"minimal\"", true), ("wait=5, return=minimal;x=1", true),
    ("return=representation", false), ("return=representation, return=minimal", false), ("return", false),
    ("minimal", false),
  ])
  func `a minimal answer is asked for by its standard name`(field: String, isMinimal: Bool) {
    #expect(Preferences(field).isMinimal == isMinimal)
  }

  @Test func `one field names all that is granted`() {
    #expect(Preferences("wait=60, return=minimal, other").applied.map(\.value) == ["wait=55, return=minimal"])
    #expect(Preferences("other").applied.isEmpty)
  }
}
