package dev.substrat.http.client;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.net.ServerSocketFactory;

/// Server that sends exactly the given bytes, for invalid responses.
final class RawServer implements AutoCloseable {
  private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: (\\d+)\r\n");

  private static final int DRIP_MILLIS = 20;

  private final ServerSocket server;
  private final ResponseScript manner;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final AtomicInteger visits = new AtomicInteger();

  /// Handler of a connection.
  interface ResponseScript {
    void serve(Exchange visit) throws IOException, InterruptedException;
  }

  RawServer(ResponseScript manner) {
    this("127.0.0.1", 0, ServerSocketFactory.getDefault(), manner);
  }

  RawServer(String address, int port, ServerSocketFactory factory, ResponseScript manner) {
    this.manner = manner;
    try {
      server = factory.createServerSocket(port, 50, InetAddress.ofLiteral(address));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  /// Gives the same response to every request.
  static RawServer answering(String reply) {
    return new RawServer(visit -> {
      while (true) {
        visit.request();
        visit.say(reply);
      }
    });
  }

  /// A proper reply with that body.
  static String ok(String body) {
    return "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s".formatted(body.length(), body);
  }

  /// Lines as the wire has them.
  static String wire(String lines) {
    return lines.replace("\n", "\r\n");
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        open.add(socket);
        visits.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        // Closed, or a client that left at once.
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      manner.serve(new Exchange(socket));
    } catch (IOException e) {
      // The client has left.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(socket);
    }
  }

  int port() {
    return server.getLocalPort();
  }

  String url(String path) {
    return "http://127.0.0.1:" + port() + path;
  }

  /// How many connections there have been.
  int visits() {
    return visits.get();
  }

  /// All requests so far, with their bodies.
  List<String> requests() {
    return requests;
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// One connection.
  final class Exchange {
    private final Socket socket;

    private Exchange(Socket socket) {
      this.socket = socket;
    }

    /// Reads the next request.
    String request() throws IOException {
      var read = new ByteArrayOutputStream();
      while (!read.toString(StandardCharsets.UTF_8).endsWith("\r\n\r\n")) {
        int next = socket.getInputStream().read();
        if (next < 0) {
          throw new EOFException();
        }
        read.write(next);
      }
      var length = LENGTH.matcher(read.toString(StandardCharsets.UTF_8));
      if (length.find()) {
        read.write(socket.getInputStream().readNBytes(Integer.parseInt(length.group(1))));
      }
      String request = read.toString(StandardCharsets.UTF_8);
      requests.add(request);
      return request;
    }

    void say(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().flush();
    }

    /// Repeats the text with pauses until the client disconnects.
    void drip(String text, int times) throws IOException {
      socket.setSoTimeout(DRIP_MILLIS);
      for (int i = 0; i < times; i++) {
        say(text);
        try {
          if (socket.getInputStream().read() < 0) {
            return;
          }
        } catch (SocketTimeoutException e) {
          // It is still there.
        }
      }
    }

    /// Returns when the client has hung up.
    void awaitEnd() throws IOException {
      while (socket.getInputStream().read() >= 0) {
        // The rest of the request.
      }
    }

    void close() throws IOException {
      socket.close();
    }

    /// Ends the connection the hard way.
    void reset() throws IOException {
      socket.setSoLinger(true, 0);
      socket.close();
    }
  }
}
