package dev.substrat.bench.mcp;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// Keep-alive HTTP/1.1 connection that parses as little of an answer as possible, so that the
/// server is measured. Belongs to one thread.
final class BenchConnection implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;
  private byte[] buffer = new byte[64 * 1024];
  private int position;
  private int end;

  BenchConnection(URI server) throws IOException {
    this.socket = new Socket(server.getHost(), server.getPort());
    this.in = socket.getInputStream();
    socket.setTcpNoDelay(true);
  }

  /// Bodies are read as Latin-1: only ASCII is searched in them.
  record Answer(int status, String head, String body) {

    Optional<String> header(String name) {
      String line = "\r\n" + name.toLowerCase(Locale.ROOT) + ":";
      int at = head.toLowerCase(Locale.ROOT).indexOf(line);
      return at < 0
          ? Optional.empty()
          : Optional.of(
              head.substring(at + line.length(), head.indexOf("\r\n", at + line.length())).strip());
    }
  }

  /// Sends a whole request and reads the whole answer to it.
  Answer exchange(byte[] request) throws IOException {
    socket.getOutputStream().write(request);
    String head = head();
    int status = Integer.parseInt(head.substring(9, 12));
    var unread = new Answer(status, head, "");
    if (unread.header("transfer-encoding").isPresent()) {
      return new Answer(status, head, chunks());
    }
    int length = unread.header("content-length").map(Integer::parseInt).orElse(0);
    return new Answer(status, head, take(length));
  }

  private String head() throws IOException {
    int from = position;
    while (true) {
      for (int i = Math.max(from, position + 3); i < end; i++) {
        if (buffer[i] == '\n' && buffer[i - 1] == '\r' && buffer[i - 2] == '\n') {
          return take(i + 1 - position);
        }
      }
      int scanned = end - position;
      fill();
      from = position + scanned;
    }
  }

  private String chunks() throws IOException {
    var body = new StringBuilder();
    while (true) {
      int size = Integer.parseInt(line().split(";", 2)[0].strip(), 16);
      body.append(take(size));
      line();
      if (size == 0) {
        return body.toString();
      }
    }
  }

  private String line() throws IOException {
    int length = 0;
    while (true) {
      if (position + length == end) {
        fill();
      }
      if (buffer[position + length] == '\n') {
        String line = take(length + 1);
        return line.substring(0, length - 1);
      }
      length++;
    }
  }

  private String take(int length) throws IOException {
    while (end - position < length) {
      fill();
    }
    var text = new String(buffer, position, length, StandardCharsets.ISO_8859_1);
    position += length;
    return text;
  }

  private void fill() throws IOException {
    if (position > 0) {
      System.arraycopy(buffer, position, buffer, 0, end - position);
      end -= position;
      position = 0;
    }
    if (end == buffer.length) {
      buffer = Arrays.copyOf(buffer, 2 * buffer.length);
    }
    int read = in.read(buffer, end, buffer.length - end);
    if (read < 0) {
      throw new EOFException("the server closed the connection");
    }
    end += read;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
