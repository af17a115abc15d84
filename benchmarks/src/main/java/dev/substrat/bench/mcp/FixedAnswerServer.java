package dev.substrat.bench.mcp;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Upper bound for a Java server on virtual threads: finds the end of a request and writes a fixed
/// answer.
final class FixedAnswerServer {
  static final String BODY =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"hello\"}]}}";

  private static final byte[] ANSWER =
      ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
              + BODY.length()
              + "\r\n\r\n"
              + BODY)
          .getBytes(StandardCharsets.US_ASCII);

  private FixedAnswerServer() {}

  public static void main(String... args) throws IOException {
    try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      System.out.println("ready http://127.0.0.1:" + server.getLocalPort());
      while (true) {
        Socket client = server.accept();
        Thread.startVirtualThread(() -> serve(client));
      }
    }
  }

  private static void serve(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      var buffer = new byte[64 * 1024];
      int filled = 0;
      InputStream in = client.getInputStream();
      for (int read = in.read(buffer);
          read > 0;
          read = in.read(buffer, filled, buffer.length - filled)) {
        filled += read;
        if (isWhole(new String(buffer, 0, filled, StandardCharsets.ISO_8859_1))) {
          client.getOutputStream().write(ANSWER);
          filled = 0;
        }
      }
    } catch (IOException e) {
      // The client is gone.
    }
  }

  /// Clients send one request at a time.
  private static boolean isWhole(String request) {
    int body = request.indexOf("\r\n\r\n") + 4;
    int length = request.toLowerCase(Locale.ROOT).indexOf("content-length:") + 15;
    return body >= 4
        && request.length() - body
            >= Integer.parseInt(request.substring(length, request.indexOf("\r\n", length)).strip());
  }
}
