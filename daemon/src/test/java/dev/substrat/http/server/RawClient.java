package dev.substrat.http.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/// Client that sends exactly the given bytes, for invalid requests.
public final class RawClient implements AutoCloseable {
  private static final int LIMIT_MILLIS = 20_000;

  private final Socket socket = new Socket();

  public RawClient(String url) {
    this(url, 0);
  }

  /// With a receive buffer of `window` bytes, so that the other side is soon stuck; 0 for the
  /// system's own.
  public RawClient(String url, int window) {
    URI address = URI.create(url);
    try {
      socket.setSoTimeout(LIMIT_MILLIS);
      if (window > 0) {
        socket.setReceiveBufferSize(window);
      }
      socket.connect(new InetSocketAddress(address.getHost(), address.getPort()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Sends `request` and returns everything until the server closes.
  public static String talk(String url, String request) {
    try (var client = new RawClient(url)) {
      client.send(request);
      return client.rest();
    }
  }

  public void send(String text) {
    send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  public void send(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Whether the bytes could be sent, or the server has hung up.
  public boolean isSent(byte[] bytes) {
    try {
      send(bytes);
      return true;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  /// Closes the sending side and continues to read.
  public void finish() {
    try {
      socket.shutdownOutput();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Reads until `end` has arrived.
  public String until(String end) {
    var read = new ByteArrayOutputStream();
    try {
      InputStream in = socket.getInputStream();
      while (!read.toString(StandardCharsets.ISO_8859_1).endsWith(end)) {
        int next = in.read();
        if (next < 0) {
          throw new AssertionError("closed before " + end);
        }
        read.write(next);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return read.toString(StandardCharsets.ISO_8859_1);
  }

  /// Reads until the server closes, `most` bytes have arrived, or an event stream has begun, which
  /// would not end.
  public String beginning(int most) {
    var read = new ByteArrayOutputStream();
    var part = new byte[8192];
    try {
      InputStream in = socket.getInputStream();
      for (int count = in.read(part); count >= 0 && read.size() < most; count = in.read(part)) {
        read.write(part, 0, count);
        if (read.toString(StandardCharsets.ISO_8859_1).contains("text/event-stream\r\n")) {
          break;
        }
      }
    } catch (SocketException e) {
      // Bytes before the reset count.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return read.toString(StandardCharsets.UTF_8);
  }

  /// Reads until the server closes. A reset is a way of closing too.
  public String rest() {
    var read = new ByteArrayOutputStream();
    try {
      socket.getInputStream().transferTo(read);
    } catch (SocketException e) {
      // Bytes before the reset count.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return read.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
