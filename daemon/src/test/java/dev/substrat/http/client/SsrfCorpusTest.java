package dev.substrat.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.http.address.AllowedHosts;
import dev.substrat.http.address.TargetUrl;
import dev.substrat.http.client.OutgoingFailure.FailureReason;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Addresses known from SSRF attacks, from `outgoing/addresses.txt`, and harmless ones that look
/// similar.
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SsrfCorpusTest {
  private static final Pattern UNICODE = Pattern.compile("\\\\u([0-9a-f]{4})");

  private final TestHttpClient calls = new TestHttpClient();

  /// A line: expected outcome, URL, the address its name resolves to, and the reason why it is
  /// listed.
  record Line(String outcome, String url, String leads, String why) {
    @Override
    public String toString() {
      return outcome + " " + url + " (" + why + ")";
    }
  }

  @AfterAll
  void close() {
    calls.close();
  }

  static Stream<Line> refused() throws IOException {
    return lines().filter(line -> !line.outcome().equals("passes"));
  }

  static Stream<Line> passing() throws IOException {
    return lines().filter(line -> line.outcome().equals("passes"));
  }

  private static Stream<Line> lines() throws IOException {
    try (InputStream in = SsrfCorpusTest.class.getResourceAsStream("/outgoing/addresses.txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> line.split("\\s*\\|\\s*", 4))
          .map(parts -> new Line(parts[0], unescaped(parts[1]), parts[2], parts[3]));
    }
  }

  /// The file has no characters that cannot be seen, but escapes for them.
  private static String unescaped(String text) {
    return UNICODE
        .matcher(text)
        .replaceAll(code -> Character.toString(Integer.parseInt(code.group(1), 16)))
        .translateEscapes();
  }

  @ParameterizedTest
  @MethodSource("refused")
  @Requirement("S3-16")
  void an_address_of_the_corpus_is_refused(Line line) {
    name(line);

    OutgoingFailure failure = calls.failure(line.url());

    assertThat(failure.reason().word()).as(failure.message()).isEqualTo(line.outcome());
    assertThat(failure.hint()).isNotBlank();
    Fault fault = failure.fault();
    if (failure.reason() == FailureReason.BLOCKED) {
      assertThat(fault.code()).isEqualTo(ErrorCode.ADDRESS_BLOCKED);
    }
    assertThat(failure + fault.hint()).doesNotContain("secret");
  }

  @ParameterizedTest
  @MethodSource("passing")
  void passes(Line line) {
    name(line);
    try (var lookups = new DnsLookups(calls::addresses);
        var deadline = new CallDeadline(TestHttpClient.PATIENCE, _ -> {})) {
      var checkpoint = new AddressPolicy(AllowedHosts.NONE, lookups);

      assertThat(checkpoint.addresses(TargetUrl.parse(line.url()), deadline)).isNotEmpty();
    }
  }

  /// The host of a line that resolves to an address, in the form in which it is resolved.
  private void name(Line line) {
    if (!line.leads().equals("-")) {
      String host = TargetUrl.parse(line.url()).host().text().toLowerCase(Locale.ROOT);
      calls.naming(host, line.leads().split(" "));
    }
  }
}
