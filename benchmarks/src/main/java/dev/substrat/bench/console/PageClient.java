package dev.substrat.bench.console;

import dev.substrat.platform.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/// HTTP client with a console session that requests pages like a browser, without rendering.
final class PageClient implements AutoCloseable {
  private static final Pattern LINK = Pattern.compile("(?:src|href)=\"(/assets/[^\"]+)\"");
  private static final Pattern IMPORT = Pattern.compile("(?:from|import) \"\\./([a-z-]+\\.js)\"");

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI daemon;
  private final String operator;
  private final String session;

  /// Size of the loaded files: compressed, without headers, and uncompressed.
  record TransferSize(int files, long wire, long unpacked) {
    private TransferSize plus(PageResponse one) {
      return new TransferSize(files + 1, wire + one.wire(), unpacked + one.unpacked());
    }
  }

  /// One answer.
  private record PageResponse(int wire, int unpacked, String text) {}

  PageClient(URI daemon, Path data) throws IOException, InterruptedException {
    this.daemon = daemon;
    this.operator = Files.readString(data.resolve("operator.token")).strip();
    HttpResponse<byte[]> in =
        http.send(HttpRequest.newBuilder(link()).build(), BodyHandlers.ofByteArray());
    String cookie = in.headers().firstValue("Set-Cookie").orElseThrow();
    this.session = cookie.substring(0, cookie.indexOf(';'));
  }

  /// An address that opens the console once.
  URI link() throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(daemon.resolve("/api/login-links"))
            .header("Authorization", "Bearer " + operator)
            .POST(BodyPublishers.noBody())
            .build();
    String answer = http.send(request, BodyHandlers.ofString()).body();
    return URI.create(Json.own(answer).path("url").asText());
  }

  /// How long it takes until all of a page is here and unpacked, in nanoseconds.
  long nanos(String path, String mustContain) throws IOException, InterruptedException {
    long start = System.nanoTime();
    PageResponse page = load(path);
    long nanos = System.nanoTime() - start;
    // An error is quicker than a page.
    if (!page.text().contains(mustContain)) {
      throw new IllegalStateException(path + " does not have " + mustContain);
    }
    return nanos;
  }

  /// A page and all files that it loads, recursively.
  TransferSize weigh(String path) throws IOException, InterruptedException {
    PageResponse page = load(path);
    TransferSize sum = new TransferSize(0, 0, 0).plus(page);
    var found = new TreeSet<String>();
    LINK.matcher(page.text()).results().forEach(match -> found.add(match.group(1)));
    var open = new TreeSet<>(found);
    while (!open.isEmpty()) {
      String asset = open.removeFirst();
      PageResponse loaded = load(asset);
      sum = sum.plus(loaded);
      String folder = asset.substring(0, asset.lastIndexOf('/') + 1);
      IMPORT
          .matcher(loaded.text())
          .results()
          .map(match -> folder + match.group(1))
          .filter(found::add)
          .forEach(open::add);
    }
    return sum;
  }

  /// Status, time in nanoseconds and uncompressed size of an answer of any status.
  record Timed(int status, long nanos, int bytes, String text) {}

  /// Requests a path as a page, and below `/api` as a program.
  Timed time(String path) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(daemon.resolve(path));
    if (path.startsWith("/api") || path.equals("/metrics")) {
      request.header("Authorization", "Bearer " + operator);
    } else {
      request.header("Cookie", session).header("Accept", "text/html,*/*");
      request.header("Sec-Fetch-Site", "same-origin");
    }
    long start = System.nanoTime();
    HttpResponse<byte[]> answer = http.send(request.build(), BodyHandlers.ofByteArray());
    long nanos = System.nanoTime() - start;
    String text = new String(answer.body(), StandardCharsets.UTF_8);
    return new Timed(answer.statusCode(), nanos, answer.body().length, text);
  }

  private PageResponse load(String path) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(daemon.resolve(path))
            .header("Cookie", session)
            .header("Accept", "text/html,*/*")
            .header("Accept-Encoding", "gzip")
            .header("Sec-Fetch-Site", "same-origin")
            .build();
    HttpResponse<byte[]> answer = http.send(request, BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(path + " was answered " + answer.statusCode());
    }
    byte[] body = answer.body();
    boolean isPacked = answer.headers().firstValue("Content-Encoding").isPresent();
    byte[] bytes = isPacked ? unpacked(body) : body;
    return new PageResponse(body.length, bytes.length, new String(bytes, StandardCharsets.UTF_8));
  }

  private static byte[] unpacked(byte[] body) throws IOException {
    try (var stream = new GZIPInputStream(new ByteArrayInputStream(body))) {
      return stream.readAllBytes();
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
