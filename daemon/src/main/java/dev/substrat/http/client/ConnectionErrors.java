package dev.substrat.http.client;

import dev.substrat.http.address.TargetUrl;
import dev.substrat.http.client.OutgoingFailure.FailureReason;
import dev.substrat.protocol.MalformedResponse;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.security.cert.CertificateException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Translates I/O errors of a connection to an [OutgoingFailure].
///
/// Closing the connection on our side (deadline, cancellation) causes the same I/O errors, so that
/// is checked first.
final class ConnectionErrors {
  private ConnectionErrors() {}

  static OutgoingFailure connecting(TargetUrl target, CallDeadline deadline, IOException e) {
    OutgoingFailure ours = ours(target, deadline, e);
    if (ours != null) {
      return ours;
    }
    return e instanceof SocketTimeoutException
        ? timedOut(target, deadline, e)
        : new OutgoingFailure(
            FailureReason.REFUSED,
            "connection refused by " + where(target),
            "check the host and port, and whether the server is running",
            e);
  }

  static OutgoingFailure securing(TargetUrl target, CallDeadline deadline, IOException e) {
    OutgoingFailure ours = ours(target, deadline, e);
    if (ours != null) {
      return ours;
    }
    return new OutgoingFailure(
        FailureReason.TLS_FAILED,
        isAboutCertificate(e)
            ? "the certificate of " + target + " is not valid for this host or not trusted"
            : target + " failed the TLS handshake",
        "check the URL, and whether the port uses https",
        e);
  }

  private static boolean isAboutCertificate(IOException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException) {
        return true;
      }
    }
    return false;
  }

  static OutgoingFailure talking(TargetUrl target, CallDeadline deadline, IOException e) {
    OutgoingFailure ours = ours(target, deadline, e);
    if (ours != null) {
      return ours;
    }
    return e instanceof MalformedResponse bad
        ? new OutgoingFailure(
            bad.isTooLarge() ? FailureReason.TOO_LARGE : FailureReason.BROKEN,
            target + " " + bad.getMessage(),
            "report this to the operator of that server",
            e)
        : new OutgoingFailure(
            FailureReason.BROKEN,
            target + " closed the connection before its response was complete",
            "retry later",
            e);
  }

  private static @Nullable OutgoingFailure ours(
      TargetUrl target, CallDeadline deadline, IOException e) {
    return switch (deadline.end()) {
      case TIMED_OUT -> timedOut(target, deadline, e);
      case CLOSED -> givenUp(target, e);
      case OPEN -> Thread.currentThread().isInterrupted() ? givenUp(target, e) : null;
    };
  }

  private static OutgoingFailure timedOut(TargetUrl target, CallDeadline deadline, IOException e) {
    return new OutgoingFailure(
        FailureReason.TIMED_OUT,
        target + " did not respond within " + words(deadline.limit()),
        "retry later, or set a longer timeout",
        e);
  }

  private static String words(Duration limit) {
    return limit.toMillis() % 1000 == 0 ? limit.toSeconds() + " s" : limit.toMillis() + " ms";
  }

  private static OutgoingFailure givenUp(TargetUrl target, IOException e) {
    return new OutgoingFailure(
        FailureReason.CANCELLED,
        "the request to " + target + " was cancelled",
        "retry if needed",
        e);
  }

  private static String where(TargetUrl target) {
    return target.host().written() + ":" + target.port();
  }
}
