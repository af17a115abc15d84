package dev.substrat.http.address;

import dev.substrat.http.client.OutgoingFailure;
import dev.substrat.http.client.OutgoingFailure.FailureReason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/// Parsed URL: `path` includes the query.
public record TargetUrl(boolean isSecure, UrlHost host, int port, String path) {
  private static final int MAX_LENGTH = 16_384;
  private static final int PLAIN_PORT = 80;
  private static final int SECURE_PORT = 443;
  private static final Pattern SCHEME = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*:.*");

  /// Characters that are not encoded in a path or query.
  private static final String PLAIN = "-._~:/?[]@!$&'()*+,;=%";

  public static TargetUrl parse(String url) {
    if (url.length() > MAX_LENGTH || !SCHEME.matcher(url).lookingAt()) {
      throw bad("the URL is not valid");
    }
    int colon = url.indexOf(':');
    String scheme = url.substring(0, colon).toLowerCase(Locale.ROOT);
    boolean isSecure = scheme.equals("https");
    if (!isSecure && !scheme.equals("http")) {
      throw blocked("the URL must begin with http:// or https://");
    }
    if (!url.startsWith("//", colon + 1)) {
      throw bad("the URL has no host");
    }
    int from = colon + 3;
    int end = endOfAuthority(url, from);
    String authority = url.substring(from, end);
    return at(isSecure, authority, path(url.substring(end)));
  }

  private static int endOfAuthority(String url, int from) {
    int end = from;
    while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
      end++;
    }
    return end;
  }

  private static TargetUrl at(boolean isSecure, String authority, String path) {
    if (authority.isEmpty()) {
      throw bad("the URL has no host");
    }
    if (authority.indexOf('@') >= 0) {
      throw blocked("the URL must not contain a user name or password");
    }
    var parts = UrlAuthority.split(authority);
    UrlHost host =
        UrlHost.parse(parts.host())
            .orElseThrow(() -> blocked("the host is not a valid public name or address"));
    if (parts.port().isEmpty()) {
      return new TargetUrl(isSecure, host, isSecure ? SECURE_PORT : PLAIN_PORT, path);
    }
    int port =
        UrlAuthority.port(parts.port()).orElseThrow(() -> bad("the URL has an invalid port"));
    return new TargetUrl(isSecure, host, port, path);
  }

  /// Without the fragment, which is not sent to servers.
  private static String path(String text) {
    int fragment = text.indexOf('#');
    String path = fragment < 0 ? text : text.substring(0, fragment);
    return encoded(path.startsWith("/") ? path : "/" + path);
  }

  private static String encoded(String path) {
    var encoded = new StringBuilder();
    for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      if (c <= ' ' || c == 127) {
        throw bad("the URL has spaces or control characters");
      }
      boolean isPlain = c < 128 && (Character.isLetterOrDigit(c) || PLAIN.indexOf(c) >= 0);
      encoded.append(
          isPlain ? String.valueOf(c) : "%" + HexFormat.of().withUpperCase().toHexDigits(b));
    }
    return encoded.toString();
  }

  /// Resolves a redirect reference.
  public TargetUrl resolve(String reference) {
    if (SCHEME.matcher(reference).lookingAt()) {
      return parse(reference);
    }
    if (reference.startsWith("//")) {
      return parse((isSecure ? "https:" : "http:") + reference);
    }
    String here = path.substring(0, path.indexOf('?') < 0 ? path.length() : path.indexOf('?'));
    if (reference.isEmpty() || reference.startsWith("#") || reference.startsWith("?")) {
      return new TargetUrl(isSecure, host, port, path(here + reference));
    }
    String directory = here.substring(0, here.lastIndexOf('/') + 1);
    String joined = reference.startsWith("/") ? reference : directory + reference;
    return new TargetUrl(isSecure, host, port, withoutDots(path(joined)));
  }

  /// `/a/./b/../c` is `/a/c`.
  private static String withoutDots(String path) {
    int question = path.indexOf('?');
    int end = question < 0 ? path.length() : question;
    var kept = new ArrayDeque<String>();
    String last = "";
    for (String segment : path.substring(1, end).split("/", -1)) {
      last = segment;
      if (segment.equals("..")) {
        kept.pollLast();
      } else if (!segment.equals(".")) {
        kept.addLast(segment);
      }
    }
    // A trailing dot segment means a directory.
    String slash = !kept.isEmpty() && (last.equals(".") || last.equals("..")) ? "/" : "";
    return "/" + String.join("/", kept) + slash + path.substring(end);
  }

  public boolean isSameOrigin(TargetUrl other) {
    return isSecure == other.isSecure && port == other.port && host.equals(other.host);
  }

  /// Value of the Host header: a default port is omitted.
  public String authority() {
    return port == (isSecure ? SECURE_PORT : PLAIN_PORT)
        ? host.written()
        : host.written() + ":" + port;
  }

  private static OutgoingFailure bad(String message) {
    return new OutgoingFailure(
        FailureReason.BAD_URL, message, "for example https://api.example.com/path");
  }

  private static OutgoingFailure blocked(String message) {
    return new OutgoingFailure(
        FailureReason.BLOCKED, message, "for example https://api.example.com/path");
  }

  /// Host and port without the path, which may contain a secret.
  @Override
  public String toString() {
    return authority();
  }
}
