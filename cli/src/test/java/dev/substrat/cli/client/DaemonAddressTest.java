package dev.substrat.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DaemonAddressTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost:7420",
        "http://LOCALHOST",
        "http://127.0.0.1:7420",
        "http://127.1.2.3",
        "http://[::1]:7420",
        "http://[0:0:0:0:0:0:0:1]",
        "http://[::ffff:127.0.0.1]",
        "https://team.example"
      })
  void nobody_on_the_way_reads_what_stays_on_this_machine_or_is_encrypted(String url) {
    assertThat(DaemonAddress.at(url, "--url").isUnencryptedRemote()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.evil.example:7420",
        "http://127.0.0.1.evil.example",
        "http://localhost.evil.example",
        "http://10.0.0.7",
        "http://0.0.0.0",
        "http://[fe80::1]",
        "http://[::ffff:10.0.0.7]",
        "http://team.example"
      })
  void a_host_that_only_begins_like_this_machine_is_another_one(String url) {
    assertThat(DaemonAddress.at(url, "--url").isUnencryptedRemote()).isTrue();
  }
}
