// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

@Suite(.timeLimit(.minutes(30))) struct `A server with TLS` {
  @Test func `sets cookies for TLS alone, streams the state, and has browsers use nothing else`() throws {
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
    let frame = try JSONReader.read(Array(try #require(try reader.line(after: "data: ")).utf8))
    #expect(frame["state"]?["username"] == "")

    // A browser that has met a host through TLS is told to use nothing else. `localhost` is excepted, as all
    // servers of a machine share it.
    try client.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    #expect(try client.line(after: "Strict-Transport-Security: ") == "max-age=31536000")
    try client.send("GET /healthz HTTP/1.1\r\nHost: LocalHost:\(port)\r\n\r\n")
    var fields: [String] = []
    while let line = try client.line(), line != "ok" { fields.append(line) }
    #expect(!fields.contains { $0.hasPrefix("Strict-Transport-Security") })
    server.stop()
  }
}
