package dev.substrat.toolset.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.team.toolconfig.McpServerConfig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Description of a program's access before its approval.
final class ProgramAccessTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "|can write nothing but its own caches; can read every file that the daemon's user can read, except the daemon's data directory and /tmp; network: no",
        ", network: true|can write nothing but its own caches; can read every file that the daemon's user can read, except the daemon's data directory and /tmp; network: yes",
        ", paths: [{path: /srv/b, mode: rw}, {path: /srv/a, mode: rw}], network: true|can write /srv/a, /srv/b; can read system programs, its own package and the files named in its arguments; network: yes",
        ", paths: [{path: /srv/log}]|can write nothing but its own caches; can read /srv/log, system programs, its own package and the files named in its arguments; network: no"
      })
  void access_of_a_program_is_described_in_one_sentence(String more, String sentence) {
    assertThat(RemoteServerApprovals.ProgramAccess.of(server(more), true).summary())
        .isEqualTo(sentence);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"|", ", paths: [{path: /srv/log}]|"})
  void without_a_sandbox_the_description_promises_no_restriction(String more) {
    assertThat(RemoteServerApprovals.ProgramAccess.of(server(more), false).summary())
        .startsWith(
            "can read and write every file and reach every host that the daemon's user can: no sandbox");
  }

  private static McpServerConfig server(String more) {
    String yaml = "{name: box, command: box%s}".formatted(more == null ? "" : more);
    return Json.as(Yaml.own(yaml), McpServerConfig.class);
  }
}
