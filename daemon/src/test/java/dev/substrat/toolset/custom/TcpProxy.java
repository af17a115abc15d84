package dev.substrat.toolset.custom;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Another address of a daemon, like a proxy or tunnel: forwards bytes unchanged, so the daemon
/// sees the address of the request.
final class TcpProxy implements AutoCloseable {
  private final ServerSocket door;
  private final ExecutorService carriers = Executors.newVirtualThreadPerTaskExecutor();
  private volatile int end;

  /// On `address`, on a port of its own.
  TcpProxy(String address) {
    try {
      door = new ServerSocket(0, 0, InetAddress.getByName(address));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String url() {
    return "http://" + door.getInetAddress().getHostAddress() + ":" + door.getLocalPort();
  }

  /// Forwards to `url` from now on.
  void leadTo(String url) {
    end = URI.create(url).getPort();
    carriers.execute(this::open);
  }

  private void open() {
    try {
      while (true) {
        Socket here = door.accept();
        Socket there = new Socket(InetAddress.getLoopbackAddress(), end);
        carriers.execute(() -> carry(here, there));
        carriers.execute(() -> carry(there, here));
      }
    } catch (IOException _) {
      // The door was closed.
    }
  }

  private static void carry(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException _) {
      // The other direction has ended, and both with it.
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
    carriers.shutdown();
  }
}
