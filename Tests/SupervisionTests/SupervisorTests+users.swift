// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Testing

extension `A supervised server` {
  @Test(arguments: [nil, #"{"auth":"bearer"}"#])
  func `that traps is reported without a word of its user, a key of its client's, or a secret`(options: String?) throws
  {
    let canary = "canary-8f31b2"
    let program = try TrappingProgram()
    let client = try program.client()
    let opened = try client.request("POST", "/sessions/known", options)
    let url = try #require(opened["Location"])
    func fields(_ answer: TestClient.Response) -> (key: String, fields: [(String, String)]) {
      if case .string(let token)? = answer.json?["token"] { return (token, [("Authorization", "Bearer \(token)")]) }
      return (String(client.cookie?.drop { $0 != "=" }.dropFirst() ?? ""), [])
    }
    let (first, old) = fields(opened)
    let secret = try client.request("PUT", "\(url)/state/password", "\"\(canary)-secret\"", fields: old)
    #expect(secret.status == 200)
    let entered = try client.request("POST", "\(url)/actions/enter", "\"\(canary)\"", fields: old)
    let (second, new) = fields(entered)
    #expect(entered.status == 200 && !first.isEmpty && !second.isEmpty && first != second)
    try client.send("POST", "\(url)/actions/fall", "\"\(canary)-value\"", fields: new)
    #expect(client.isClosedByServer())
    let death = try program.death()
    #expect(death.work == "perform \(url)/fall")
    let report = try String(contentsOfFile: try #require(death.report), encoding: .utf8)
    #expect(report.contains("trapAsSomebody") && report.contains("told to trap, as somebody"), "\(report)")
    for word in [canary, first, second] { #expect(!report.contains(word), "\(report)") }
  }
}
