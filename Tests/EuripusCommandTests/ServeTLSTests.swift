// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

@Suite(.timeLimit(.minutes(30))) struct `A stream of changes over TLS` {
  @Test func `has the state, then each change as it is made, and ends with its session`() throws {
    let folder = try Folder()
    try TLSClient.makeCertificate(in: folder.path)
    let server = try Program.serve(["--tls-cert", folder["certificate.pem"], "--tls-key", folder["key.pem"]])
    let announced = server.line()
    #expect(announced.contains(" on https://127.0.0.1:"))
    let port = try Program.port(announced)

    let client = try TLSClient(port: port)
    try client.send("POST /sessions/login HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let url = try #require(try client.line(after: "Location: "))
    let cookie = try #require(try client.line(after: "Set-Cookie: "))
    #expect(cookie.hasPrefix("__Host-euripus=") && cookie.contains("Secure"))
    let head = "Host: localhost\r\nCookie: \(cookie.prefix { $0 != ";" })\r\n"

    let reader = try TLSClient(port: port)
    try reader.send("GET \(url)/changes HTTP/1.1\r\nAccept: text/event-stream\r\n\(head)\r\n")
    #expect(try reader.line() == "HTTP/1.1 200 OK")
    #expect(try reader.line(after: "Content-Type: ") == "text/event-stream")
    var version = try #require(try reader.line(after: "id: "))
    let first = try frame(reader)
    #expect(first["to"] == .string(version))
    #expect(first["state"]?["username"] == "")

    // Each change is sent when the frame of the one before has come, so a stream may bring any number.
    for number in 1...50 {
      let body = "\"maruko\(number)\""
      try client.send(
        "POST \(url)/actions/usernameDidChange HTTP/1.1\r\n\(head)Content-Type: application/json\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
      let before = version
      version = try #require(try reader.line(after: "id: "))
      let frame = try frame(reader)
      #expect(frame["from"] == .string(before))
      #expect(frame["to"] == .string(version))
    }
    try client.send("GET \(url)/state/username HTTP/1.1\r\n\(head)\r\n")
    #expect(try client.line(after: "ETag: \"\(version)") == "\"")

    // A browser that has met a host through TLS is told to use nothing else. `localhost` is excepted, as all
    // servers of a machine share it.
    try client.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    #expect(try client.line(after: "Strict-Transport-Security: ") == "max-age=31536000")
    try client.send("GET /healthz HTTP/1.1\r\nHost: LocalHost:\(port)\r\n\r\n")
    var fields: [String] = []
    while let line = try client.line(), line != "ok" { fields.append(line) }
    #expect(!fields.contains { $0.hasPrefix("Strict-Transport-Security") })

    let other = try TLSClient(port: port)
    try other.send("DELETE \(url) HTTP/1.1\r\n\(head)\r\n")
    #expect(try reader.line(after: "retry: ") == "0")
    server.stop()
  }

  private func frame(_ reader: TLSClient) throws -> JSON {
    try JSONReader.read(Array(try #require(try reader.line(after: "data: ")).utf8))
  }
}
