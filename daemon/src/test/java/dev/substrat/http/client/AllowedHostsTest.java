package dev.substrat.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.substrat.http.address.AllowedHosts;
import dev.substrat.http.address.TargetUrl;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.testkit.Requirement;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AllowedHostsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          localhost        | http://localhost/           | true
          localhost        | https://LOCALHOST.:8443/    | true
          localhost        | http://app.localhost/       | false
          localhost        | http://127.0.0.1/           | false
          127.0.0.1        | http://localhost/           | false
          127.0.0.1        | http://127.0.0.1:8080/      | true
          127.0.0.1        | http://2130706433/          | false
          127.0.0.1        | http://[::ffff:127.0.0.1]/  | false
          127.0.0.1        | http://127.0.0.1./          | false
          10.0.0.7:8080    | http://012.0.0.7:8080/      | false
          127.0.0.1        | http://127.0.0.2/           | false
          127.0.0.1        | http://[::1]/               | false
          10.0.0.7:8080    | http://10.0.0.7:8080/       | true
          10.0.0.7:8080    | http://10.0.0.7/            | false
          10.0.0.7:443     | https://10.0.0.7/           | true
          ::1              | http://[::1]:9/             | true
          [::1]            | http://[0:0::1]:9/          | true
          [::1]:9          | http://[::1]:9/             | true
          [::1]:9          | http://[::1]:8/             | false
          Bücher.example   | http://xn--bcher-kva.example/ | true
          """)
  @Requirement("S3-16")
  void an_entry_allows_exactly_the_named_host_and_port(
      String entry, String url, boolean isAllowed) {
    var target = TargetUrl.parse(url);

    assertThat(AllowedHosts.parse(List.of(entry)).allow(target.host(), target.port()))
        .isEqualTo(isAllowed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "http://localhost", "localhost/", "localhost:", "localhost:0", "localhost:99999",
        "localhost:http", "*", "*.example", "10.0.0.0/8", "user@localhost", "[::1", "::1]",
        "fe80::1%eth0", "1.2.3.4.5", "2130706433", "127.1", "::ffff:127.0.0.1"
      })
  void an_invalid_host_is_rejected(String entry) {
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> AllowedHosts.parse(List.of(entry)))
        .satisfies(fault -> {
          assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
          assertThat(fault.hint()).contains("10.0.0.7:8080");
        });
  }
}
