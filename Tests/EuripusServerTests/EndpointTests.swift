// SPDX-License-Identifier: MIT
import EuripusTesting
import Testing

@testable import Euripus
@testable import EuripusServer

/// The table of endpoints, and that the server does what it says and nothing else.
@Suite(.timeLimit(.minutes(5))) struct `The table of endpoints` {
  @Test func `each path leads to its resource`() throws {
    for resource in Resource.allCases {
      let path = try #require(RequestTarget(Self.filled(resource.template)))
      #expect(Route(path).resource == resource, "\(resource.template)")
    }
  }

  @Test func `each row is one of its own, with a name and an answer`() {
    let keys = Endpoint.table.map { "\($0.method.rawValue) \($0.resource.template)" }
    #expect(Set(keys).count == keys.count)
    #expect(Set(Endpoint.table.map(\.name)).count == keys.count)
    for endpoint in Endpoint.table {
      #expect(!endpoint.answers.isEmpty && endpoint.summary.hasSuffix("."), "\(endpoint.name)")
      #expect(Set(endpoint.answers.map(\.status)).count == endpoint.answers.count, "\(endpoint.name)")
      let problems = endpoint.problems + Problem.Kind.anywhere
      #expect(Set(problems).count == problems.count, "\(endpoint.name) names a problem twice")
    }
  }

  @Test func `what the table has is served, and what it has not is refused with what there is`() throws {
    let opened = try Opened { $0.publicDirectory = publicDirectory }
    for resource in Resource.allCases {
      let known = resource.endpoints.map(\.method.rawValue)
      for method in ["GET", "POST", "PUT", "DELETE", "PATCH"] {
        // A session that is not there: only what comes before it is looked for counts.
        let response = try opened.client.request(method, Self.filled(resource.template), method == "GET" ? nil : "1")
        if known.contains(method) {
          #expect(response.status != 405 && response.status != 501, "\(method) \(resource.template): \(response.text)")
          continue
        }
        #expect((response.status, response.problem) == (405, "method-not-allowed"), "\(method) \(resource.template)")
        let allowed = try #require(response["Allow"]).split(separator: ", ").map(String.init)
        let expected = known + (known.contains("GET") ? ["HEAD"] : []) + ["OPTIONS"]
        #expect(Set(allowed) == Set(expected) && allowed.count == expected.count, "\(resource.template)")
      }
    }
  }

  /// A path of the template's form.
  static func filled(_ template: String) -> String {
    template.replacing("{model}", with: "counter").replacing("{id}", with: "AAAAAAAAAAAAAAAAAAAAAA")
      .replacing("{path}", with: "count").replacing("{name}", with: "not-found")
  }
}
