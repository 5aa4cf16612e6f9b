// SPDX-License-Identifier: MIT
import Testing

@testable import EuripusServer

@Suite struct `A request's label` {
  @Test func `says its route and its method`() {
    for resource in RouteTable.all.resources {
      for method in RequestMethod.allCases {
        let label = RequestLabel(mark: RequestLabel.mark(resource), method: method, in: .all)
        #expect((label.route, label.method) == (resource.template.text, method.rawValue))
      }
    }
  }

  @Test func `has no route where there is none, and nothing where the request was not read`() {
    let label = RequestLabel(mark: RequestLabel.mark(nil), method: .get, in: .all)
    #expect((label.route, label.method) == ("", "GET"))
    let unread = RequestLabel(mark: 0, method: .get, in: .all)
    #expect((unread.route, unread.method) == ("", ""))
  }

  @Test(arguments: ["TRACE", "get", "Get", "PUTS", "PU", "HEA", "OPTIONs", "OPTIONS ", "XGET", "DELETF", "other", ""])
  func `has one name for all methods that nobody counts, and case counts`(name: String) {
    #expect(RequestLabel(mark: 1, method: RequestMethod(rawValue: name), in: .all).method == "other")
  }
}
