package dev.substrat.platform.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.substrat.platform.sandbox.ResourceLimits;
import dev.substrat.platform.sandbox.SandboxSettings;
import dev.substrat.platform.sandbox.SandboxUser;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DaemonSettingsTest {
  @TempDir private Path data = Path.of("");

  @Test
  void without_file_and_flags_the_defaults_apply() {
    var settings = read();

    assertThat(settings.host()).isEqualTo("127.0.0.1");
    assertThat(settings.port()).isEqualTo(7420);
    assertThat(settings.data()).isEqualTo(data);
    assertThat(settings.database()).isNull();
    assertThat(settings.slots()).isEqualTo(4);
    assertThat(settings.logLevel()).isEqualTo("info");
    assertThat(settings.hosts()).isEmpty();
    assertThat(settings.stopGrace()).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.semanticSearch()).isTrue();
    assertThat(settings.allowHosts()).isEmpty();
    assertThat(settings.allowEnv()).isEmpty();
    assertThat(settings.publicUrl()).isNull();
  }

  @Test
  void the_file_in_the_data_directory_is_found() {
    write(
        """
        host: 0.0.0.0
        port: 0
        db: jdbc:postgresql://db.example/substrat
        slots: 16
        log: debug
        hosts: [team.example, other.example]
        leaseSeconds: 5
        stopGrace: 2m
        semanticSearch: false
        allowHosts: [localhost, "10.0.0.7:8080"]
        allowEnv: [WEATHER_KEY]
        publicUrl: https://Team.example/
        spaces: { maxChainDepth: 7, cooldownMillis: 0 }
        """);
    var settings = read();

    assertThat(settings.host()).isEqualTo("0.0.0.0");
    assertThat(settings.port()).isZero();
    assertThat(settings.database()).isEqualTo("jdbc:postgresql://db.example/substrat");
    assertThat(settings.slots()).isEqualTo(16);
    assertThat(settings.logLevel()).isEqualTo("debug");
    assertThat(settings.hosts()).containsExactlyInAnyOrder("team.example", "other.example");
    assertThat(settings.lease()).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.stopGrace()).isEqualTo(Duration.ofMinutes(2));
    assertThat(settings.semanticSearch()).isFalse();
    assertThat(settings.allowHosts()).containsExactlyInAnyOrder("localhost", "10.0.0.7:8080");
    assertThat(settings.allowEnv()).containsExactly("WEATHER_KEY");
    assertThat(settings.publicUrl())
        .isEqualTo(new PublicUrl("https://team.example", "team.example"));
    assertThat(settings.guards())
        .isEqualTo(new SpaceGuardLimits(7, 30, Duration.ZERO, Duration.ofMinutes(2)));
  }

  @Test
  void flags_override_the_file() {
    write("{\"host\": \"0.0.0.0\", \"port\": 1, \"db\": \"a\", \"slots\": 2, \"log\": \"warn\"}");
    var settings =
        DaemonSettings.of(
            new DaemonSettings.CommandLineFlags(
                null, data, "localhost", 0, "b", 3, "error", null, null, null, null, null));

    assertThat(settings)
        .isEqualTo(new DaemonSettings("localhost", 0, data, "b", 3, "error", java.util.Set.of()));
  }

  /// A list on the command line replaces the whole list, so that a reader of the command line knows
  /// what is allowed without the file.
  @Test
  void allow_flags_replace_the_allow_lists_of_the_file() {
    write("{allowHosts: [localhost], allowEnv: [WEATHER_KEY]}");
    var settings =
        DaemonSettings.of(
            new DaemonSettings.CommandLineFlags(
                null,
                data,
                null,
                null,
                null,
                null,
                null,
                List.of("ada.local"),
                List.of("OTHER"),
                null,
                null,
                null));

    assertThat(settings.allowHosts()).containsExactly("ada.local");
    assertThat(settings.allowEnv()).containsExactly("OTHER");
  }

  @Test
  void a_named_file_replaces_the_one_in_the_data_directory() throws IOException {
    write("slots: 2");
    Path other = Files.writeString(data.resolve("other.yaml"), "port: 9");
    var settings =
        DaemonSettings.of(
            new DaemonSettings.CommandLineFlags(
                other, data, null, null, null, null, null, null, null, null, null, null));

    assertThat(settings.port()).isEqualTo(9);
    assertThat(settings.slots()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "# nothing yet\n", "---\n", "{}", "null"})
  void an_empty_file_leaves_the_defaults(String content) {
    write(content);

    assertThat(read().port()).isEqualTo(DaemonSettings.DEFAULT_PORT);
  }

  @Test
  void the_policy_for_remote_tools_is_unset_or_one_of_two_values() {
    assertThat(read().remoteTools()).isNull();
    write("remoteTools: review");
    assertThat(read().remoteTools()).isEqualTo(RemoteToolPolicy.REVIEW);
    write("remoteTools: trust-first");
    assertThat(read().remoteTools()).isEqualTo(RemoteToolPolicy.TRUST_FIRST);
    write("remoteTools: trust");
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(this::read)
        .satisfies(fault -> {
          assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
          assertThat(fault.message())
              .contains("remoteTools must be trust-first or review, not \"trust\"");
        });
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1,true", "localhost,true", "'::1',true", "0.0.0.0,false", "10.1.2.3,false"})
  void a_loopback_listener_is_recognized(String host, boolean isLoopback) {
    write("host: '%s'".formatted(host));
    assertThat(read().isLoopback()).isEqualTo(isLoopback);
  }

  @Test
  void an_unknown_key_is_reported_with_the_known_ones() {
    write("prot: 7421");

    assertThatExceptionOfType(Fault.class)
        .isThrownBy(this::read)
        .satisfies(fault -> {
          assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
          assertThat(fault.message()).contains("config.yaml", "prot");
          assertThat(fault.hint()).contains("host", "port", "db", "slots", "log", "hosts");
        });
  }

  @Test
  void a_certificate_and_its_key_come_from_the_file_or_from_flags() {
    write("tls: {cert: a.crt, key: a.key}");
    assertThat(read().tls()).isEqualTo(new TlsFiles(Path.of("a.crt"), Path.of("a.key")));

    assertThat(DaemonSettings.of(tls("b.crt", "b.key")).tls())
        .isEqualTo(new TlsFiles(Path.of("b.crt"), Path.of("b.key")));
  }

  @Test
  void a_certificate_without_its_key_is_refused() {
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> DaemonSettings.of(tls("a.crt", null)))
        .satisfies(fault -> {
          assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
          assertThat(fault.message()).contains("the key is missing");
          assertThat(fault.hint()).contains("--tls-key");
        });
    write("tls: {key: a.key}");
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(this::read)
        .satisfies(fault -> assertThat(fault.message()).contains("/tls", "cert"));
  }

  private DaemonSettings.CommandLineFlags tls(String certificate, @Nullable String key) {
    return new DaemonSettings.CommandLineFlags(
        null,
        data,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        Path.of(certificate),
        key == null ? null : Path.of(key));
  }

  /// Browsers omit the default port, and their origin is compared with this address.
  @ParameterizedTest
  @CsvSource({
    "https://team.example:443, https://team.example",
    "http://team.example:80, http://team.example",
    "https://team.example:80, https://team.example:80"
  })
  void a_default_port_is_left_out(String written, String meant) {
    assertThat(PublicUrl.parse(written).text()).isEqualTo(meant);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          port: many            | /port
          port: "7420"          | /port
          port: 1.5             | /port
          port: -1              | port must be
          port: 65536           | port must be
          port: 99999999999     | port
          slots: 0              | slots must be
          slots: [4]            | /slots
          slots: ~              | /slots
          log: loud             | log must be
          log: true             | /log
          host: 127             | /host
          host: ""              | host must
          hosts: team.example   | /hosts
          hosts: [1]            | /hosts/0
          allowHosts: localhost | /allowHosts
          allowEnv: [A-B]       | A-B is not the name
          publicUrl: 7420       | /publicUrl
          publicUrl: team       | publicUrl must begin
          - port                | config.yaml
          just text             | config.yaml
          """)
  void an_invalid_value_is_reported_with_its_key(String content, String place) {
    write(content);

    assertThatExceptionOfType(Fault.class)
        .isThrownBy(this::read)
        .satisfies(fault -> {
          assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
          assertThat(fault.message()).contains(place).doesNotContain("jackson", "dev.substrat");
          assertThat(fault.hint()).isNotBlank();
        });
  }

  @Test
  void all_mistakes_are_reported_on_separate_lines() {
    write(
        """
        prot: 7421
        slots: many
        log: loud
        lease: 3
        leaseSeconds: 0
        stopGrace: 61m
        allowEnv: [A-B]
        publicUrl: team
        spaces: { maxChainDeph: 3 }
        """);

    assertThatExceptionOfType(Fault.class)
        .isThrownBy(this::read)
        .satisfies(fault -> {
          assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
          assertThat(fault.message()).endsWith("config.yaml has 9 errors");
          assertThat(fault.problem().details())
              .extracting(detail -> detail.pointer() + " " + detail.message())
              .satisfiesExactly(
                  one -> assertThat(one).isEqualTo("/prot is not a known key (did you mean port?)"),
                  one -> assertThat(one).isEqualTo("/slots string found, integer expected"),
                  one -> assertThat(one).isEqualTo("/log must be debug, info, warn or error"),
                  one -> assertThat(one).startsWith("/lease is not a known key"),
                  one -> assertThat(one).startsWith("/leaseSeconds must be between"),
                  one -> assertThat(one).isEqualTo("/stopGrace must be between 0s and 60m"),
                  one -> assertThat(one).contains("/allowEnv", "A-B"),
                  one -> assertThat(one).startsWith("/publicUrl must begin"),
                  one -> assertThat(one).startsWith("/spaces/maxChainDeph is not a known key"));
        });
  }

  @Test
  void the_public_url_flag_overrides_the_file() {
    write("publicUrl: https://team.example");
    String flag = "http://[2001:DB8::7]:7420";
    var settings =
        DaemonSettings.of(
            new DaemonSettings.CommandLineFlags(
                null, data, null, null, null, null, null, null, null, flag, null, null));

    assertThat(settings.publicUrl())
        .isEqualTo(new PublicUrl("http://[2001:db8::7]:7420", "[2001:db8::7]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          team.example                | must begin with http:// or https://
          ftp://team.example          | must begin with http:// or https://
          //team.example              | must begin with http:// or https://
          https:team.example          | must have a host
          https://                    | is not a URL
          https:///agents             | must have a host
          https://my_team.example     | must have a host
          https://team.example:port   | must have a host
          http://0.0.0.0:7420         | must be reachable from other machines
          http://[::]:7420            | must be reachable from other machines
          https://team.example/here   | must not have a path
          https://team.example/?a=b   | must not have a path
          https://team.example#top    | must not have a path
          https://team.example:0      | must have a port
          https://team.example:65536  | must have a port
          https://ada:canary@team     | must not contain a user name or password
          https://team example        | is not a URL
          ''                          | must begin with http:// or https://
          """)
  void an_address_that_others_cannot_use_is_refused(String address, String reason) {
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> PublicUrl.parse(address))
        .satisfies(fault -> {
          assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
          assertThat(fault.message()).contains("publicUrl", reason).doesNotContain("canary");
          assertThat(fault.hint()).contains("https://team.example");
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"port: [", "port: 1\nport: 2", "a: b: c", "\t- x", "port: 1\n---\nport: 2"})
  void invalid_yaml_is_reported(String content) {
    write(content);

    assertThatExceptionOfType(Fault.class)
        .isThrownBy(this::read)
        .satisfies(fault -> {
          assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
          assertThat(fault.message()).contains("config.yaml");
        });
  }

  @Test
  void a_named_file_that_is_missing_is_an_error() {
    var flags =
        new DaemonSettings.CommandLineFlags(
            data.resolve("no.yaml"),
            data,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null);

    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> DaemonSettings.of(flags))
        .satisfies(fault -> assertThat(fault.message()).contains("no.yaml"));
  }

  @Test
  void a_configuration_path_that_is_a_directory_is_reported() throws IOException {
    Files.createDirectory(data.resolve("config.yaml"));

    assertThatExceptionOfType(Fault.class)
        .isThrownBy(this::read)
        .satisfies(fault -> assertThat(fault.message()).contains("config.yaml"));
  }

  @Test
  void sandbox_limits_have_defaults_and_can_be_changed() {
    write("port: 1");
    assertThat(read().sandbox()).isEqualTo(SandboxSettings.DEFAULT.hiding(data));

    write(
        """
        sandbox: required
        sandboxLimits: { processes: 64, totalMemoryMb: 900, diskFreeMb: 7 }
        sandboxUser: { uid: 1000 }
        """);
    SandboxSettings changed = read().sandbox();
    assertThat(changed.mode()).isEqualTo(SandboxSettings.SandboxMode.REQUIRED);
    assertThat(changed.limits().processes()).isEqualTo(64);
    assertThat(changed.limits().totalMemoryMb()).isEqualTo(900);
    assertThat(changed.limits().diskFreeMb()).isEqualTo(7);
    assertThat(changed.limits().memoryMb()).isEqualTo(ResourceLimits.DEFAULT.memoryMb());
    assertThat(changed.user()).isEqualTo(new SandboxUser(1000, 1000));
  }

  @Test
  void secret_files_are_hidden_in_every_sandbox() throws IOException {
    Path config = Files.writeString(data.resolve("elsewhere.yaml"), "port: 1\n");
    Path key = data.resolve("key.pem");
    var flags =
        new DaemonSettings.CommandLineFlags(
            config,
            data,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            data.resolve("cert"),
            key);
    assertThat(DaemonSettings.of(flags).sandbox().hidden())
        .containsExactlyInAnyOrder(data, config, key);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sandbox: always                    | /sandbox must be auto or required
          sandboxLimits: { processes: 2 }    | /sandboxLimits/processes must be 16 or more
          sandboxLimits: { cores: 2 }        | cores
          sandboxLimits: { totalMemoryMb: 1 } | /sandboxLimits/totalMemoryMb must be 64 or more
          sandboxUser: { uid: 0 }            | /sandboxUser needs a uid and a gid of 1 or more
          """)
  void invalid_sandbox_settings_are_rejected(String content, String reason) {
    write(content);
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(this::read)
        .satisfies(fault -> assertThat(fault.toString()).contains(reason));
  }

  private DaemonSettings read() {
    return DaemonSettings.of(
        new DaemonSettings.CommandLineFlags(
            null, data, null, null, null, null, null, null, null, null, null, null));
  }

  private void write(String content) {
    try {
      Files.writeString(data.resolve("config.yaml"), content);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
