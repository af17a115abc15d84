package dev.substrat.http.client;

import dev.substrat.http.address.AllowedHosts;
import dev.substrat.http.address.NameResolver;
import dev.substrat.http.address.TargetUrl;
import dev.substrat.http.client.OutgoingFailure.FailureReason;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.protocol.MalformedResponse;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;

/// HTTP client for configured URLs, which an agent may have influenced (SSRF protection).
///
/// It connects only to public addresses and those the operator has allowed: every hop of every
/// request is resolved once, checked, and connected to exactly the checked address. A request ends
/// at its deadline, whatever the server does; the size of a response is limited; error messages
/// never contain what was sent.
///
/// Safe for many threads. Interrupting a thread cancels its request.
public final class GuardedHttpClient implements AutoCloseable {
  private static final String CALLS = "substrat.outgoing.calls";
  private static final int MAX_REDIRECTS = 5;

  /// Body of a redirect that is read to reuse the connection; a longer one closes it.
  private static final int REDIRECT_BODY = 8 * 1024;

  private final Telemetry telemetry;
  private final String userAgent;
  private final ScheduledThreadPoolExecutor clock;
  private final CallDeadlines deadlines;
  private final DnsLookups lookups;
  private final AddressPolicy checkpoint;
  private final Dialer dialer;
  private final ConnectionPool connections;

  public GuardedHttpClient(AllowedHosts allowed, Telemetry telemetry, String version) {
    this(
        allowed,
        telemetry,
        version,
        NameResolver.SYSTEM,
        () -> (SSLSocketFactory) SSLSocketFactory.getDefault());
  }

  GuardedHttpClient(
      AllowedHosts allowed,
      Telemetry telemetry,
      String version,
      NameResolver resolver,
      Supplier<SSLSocketFactory> tls) {
    this.telemetry = telemetry;
    this.userAgent = "substrat/" + version;
    this.clock =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("outgoing clock").factory());
    clock.setRemoveOnCancelPolicy(true);
    this.deadlines = new CallDeadlines(clock);
    this.lookups = new DnsLookups(resolver);
    this.checkpoint = new AddressPolicy(allowed, lookups);
    this.dialer = new Dialer(tls);
    this.connections = new ConnectionPool(clock);
  }

  private GuardedHttpClient(GuardedHttpClient other, AllowedHosts allowed) {
    this.telemetry = other.telemetry;
    this.userAgent = other.userAgent;
    this.clock = other.clock;
    this.deadlines = other.deadlines;
    this.lookups = other.lookups;
    this.checkpoint = new AddressPolicy(allowed, lookups);
    this.dialer = other.dialer;
    this.connections = other.connections;
  }

  /// The same client without the address check, for URLs that only the operator can choose, who may
  /// start programs on this machine, too. It is closed with this one.
  public GuardedHttpClient withoutAddressCheck() {
    return new GuardedHttpClient(this, AllowedHosts.ALL);
  }

  /// Whether the operator has allowed the host of this URL, public or not.
  public boolean isAllowed(String url) {
    return checkpoint.isAllowed(TargetUrl.parse(url));
  }

  /// Sends a request and reads the whole response.
  public OutgoingResponse send(OutgoingRequest request) {
    return traced(
        request,
        hop -> {
          try (OutgoingResponseStream stream = follow(request, hop)) {
            return new OutgoingResponse(stream.status(), stream.headers(), stream.whole());
          }
        });
  }

  /// Sends a request and returns after the head of the response; the caller reads the body and
  /// closes it.
  public OutgoingResponseStream open(OutgoingRequest request) {
    return traced(request, hop -> follow(request, hop));
  }

  /// Span and counter of a request: only host and outcome.
  private <T> T traced(OutgoingRequest request, Function<RequestHop, T> work) {
    try {
      RequestHop hop = RequestHop.of(request);
      String host = hop.target().host().text();
      return telemetry.inSpan(
          request.method() + " " + host,
          SpanKind.CLIENT,
          Map.of("http.request.method", request.method(), "server.address", host),
          () -> work.apply(hop));
    } catch (OutgoingFailure e) {
      telemetry.count(CALLS, "outcome", e.reason().word());
      throw e;
    }
  }

  private OutgoingResponseStream follow(OutgoingRequest request, RequestHop first) {
    CallDeadline deadline = deadlines.within(request.deadline());
    try {
      RequestHop hop = first;
      for (int redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        OpenResponse answer = ask(hop, deadline);
        Optional<RequestHop> next = hop.next(answer.head());
        if (next.isEmpty()) {
          return opened(answer, request.maxBytes(), deadline);
        }
        leave(answer, deadline);
        hop = next.get();
      }
      throw new OutgoingFailure(
          FailureReason.BROKEN,
          first.target() + " redirects too often",
          "report this to the operator of that server");
    } catch (RuntimeException e) {
      deadline.close();
      throw e;
    }
  }

  /// A pooled connection may have been closed when the request arrives; if the request is safe to
  /// repeat, it is sent again.
  private OpenResponse ask(RequestHop first, CallDeadline deadline) {
    List<InetAddress> addresses = checkpoint.addresses(first.target(), deadline);
    byte[] request = first.bytes(userAgent);
    for (RequestHop hop = first; ; hop = hop.again()) {
      Optional<OutgoingConnection> kept = connections.take(hop.target(), addresses);
      OutgoingConnection connection =
          kept.isPresent() ? kept.get() : connected(hop, addresses, deadline);
      deadline.hold(connection.channel());
      try {
        return OpenResponse.read(hop, connection, connection.ask(request));
      } catch (IOException e) {
        connection.close();
        OutgoingFailure failure = ConnectionErrors.talking(hop.target(), deadline, e);
        boolean mayHaveAged = kept.isPresent() && !(e instanceof MalformedResponse);
        if (!mayHaveAged || !hop.isRepeatable() || failure.reason() != FailureReason.BROKEN) {
          throw failure;
        }
      }
    }
  }

  private OutgoingConnection connected(
      RequestHop hop, List<InetAddress> addresses, CallDeadline deadline) {
    try {
      return dialer.connect(hop.target(), addresses, deadline);
    } catch (OutgoingFailure failure) {
      throw hop.isUnsent() ? failure.unsent() : failure;
    }
  }

  private OutgoingResponseStream opened(OpenResponse answer, long maxBytes, CallDeadline deadline) {
    try {
      answer.requirePlain();
      answer.requireAtMost(maxBytes);
    } catch (MalformedResponse e) {
      throw ConnectionErrors.talking(answer.target(), deadline, e);
    }
    String status = String.valueOf(answer.head().status());
    Span.current().setAttribute("http.response.status_code", answer.head().status());
    telemetry.count(CALLS, "outcome", status);
    return new OutgoingResponseStream(answer, deadline, connections, maxBytes);
  }

  /// Follows a redirect; the connection is reused if that is cheap.
  private void leave(OpenResponse answer, CallDeadline deadline) {
    try {
      boolean isRead = answer.body().readNBytes(REDIRECT_BODY).length < REDIRECT_BODY;
      if (isRead && answer.isReusable() && deadline.release()) {
        connections.keep(answer.connection());
        return;
      }
    } catch (IOException e) {
      if (deadline.end() != CallDeadline.DeadlineState.OPEN) {
        throw ConnectionErrors.talking(answer.target(), deadline, e);
      }
    }
    answer.connection().close();
  }

  /// Cancels running calls, too.
  @Override
  public void close() {
    deadlines.close();
    connections.close();
    lookups.close();
    clock.shutdownNow();
  }

  /// Deadlines of all running requests. Closing it ends these requests and all later ones.
  ///
  /// Safe for many threads.
  private static final class CallDeadlines implements AutoCloseable {
    private final ScheduledExecutorService clock;
    private final Set<CallDeadline> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;

    CallDeadlines(ScheduledExecutorService clock) {
      this.clock = clock;
    }

    CallDeadline within(Duration limit) {
      var deadline = new CallDeadline(limit, open::remove);
      open.add(deadline);
      try {
        deadline.setAlarm(clock);
      } catch (RejectedExecutionException e) {
        deadline.close();
      }
      if (isClosed) {
        deadline.close();
      }
      return deadline;
    }

    @Override
    public void close() {
      isClosed = true;
      open.forEach(CallDeadline::close);
    }
  }

  /// Opens connections, only to the addresses it is given. Proxies from the environment are not
  /// used: they would resolve names again.
  private record Dialer(Supplier<SSLSocketFactory> tls) {

    /// Connects to the first address that accepts the connection.
    OutgoingConnection connect(
        TargetUrl target, List<InetAddress> addresses, CallDeadline deadline) {
      for (int i = 0; ; i++) {
        int others = addresses.size() - i;
        try {
          return secured(
              open(
                  OutgoingConnection.ConnectionOrigin.of(target, addresses.get(i)),
                  others,
                  deadline),
              target,
              deadline);
        } catch (IOException e) {
          OutgoingFailure failure = ConnectionErrors.connecting(target, deadline, e);
          boolean isOver = failure.reason() == OutgoingFailure.FailureReason.CANCELLED;
          if (others == 1 || isOver || deadline.nanosLeft() <= 0) {
            throw failure;
          }
        }
      }
    }

    /// An address that does not respond must leave time for the others.
    private static OutgoingConnection open(
        OutgoingConnection.ConnectionOrigin origin, int others, CallDeadline deadline)
        throws IOException {
      SocketChannel channel = SocketChannel.open();
      try {
        deadline.hold(channel);
        return OutgoingConnection.open(channel, origin, deadline.nanosLeft() / others);
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    }

    private OutgoingConnection secured(
        OutgoingConnection plain, TargetUrl target, CallDeadline deadline) {
      if (!target.isSecure()) {
        return plain;
      }
      try {
        return plain.secured(tls.get());
      } catch (IOException e) {
        plain.close();
        throw ConnectionErrors.securing(target, deadline, e);
      }
    }
  }
}
