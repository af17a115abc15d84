package dev.substrat.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.cli.wire.JsonTree;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AgentOptionsTest {
  @TempDir Path folder;

  private final AgentOptions options = new AgentOptions();

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void options_alone_make_a_configuration() {
    options.name = "Mira";
    options.instructions = "You lead.";
    options.provider = "claude";
    options.model = "big";
    options.parent = "noor";
    options.toolsets = List.of("team", " memory");

    assertThat(JsonTree.text(options.body()))
        .isEqualTo(
            "{\"name\":\"Mira\",\"systemPrompt\":\"You lead.\",\"parent\":\"noor\","
                + "\"provider\":{\"name\":\"claude\",\"model\":\"big\"},"
                + "\"toolsets\":[\"team\",\"memory\"]}");
  }

  @Test
  void a_command_runs_beside_its_file_unless_the_file_says_where() throws IOException {
    options.config =
        file("ada.yaml", "{name: Ada, provider: {name: scripted, command: [python3, agent.py]}}");
    assertThat(options.body().path("provider").path("directory").asText())
        .isEqualTo(folder.toAbsolutePath().normalize().toString());

    options.config =
        file("ben.yaml", "{name: Ben, provider: {name: scripted, command: [x], directory: /srv}}");
    assertThat(options.body().path("provider").path("directory").asText()).isEqualTo("/srv");
  }

  /// Its command says where it is installed; it works in its workspace.
  @Test
  void an_agent_cli_does_not_work_beside_its_file() throws IOException {
    options.config =
        file("ada.yaml", "{name: Ada, provider: {name: codex, command: [/opt/bin/codex]}}");
    assertThat(options.body().path("provider").has("directory")).isFalse();
  }

  @Test
  void options_win_over_the_file_and_leave_the_rest() throws IOException {
    options.config =
        file(
            "ada.yaml",
            """
            name: Ada
            systemPrompt: |
              You work.
              Hard.
            provider: { name: openai, model: small, temperature: 0.2, apiKey: "${env.KEY}" }
            limits: { maxStepsPerTurn: 20 }
            unknownKey: [1, true, null]
            """);
    options.name = "Ben";
    options.model = "big";

    assertThat(JsonTree.text(options.body()))
        .isEqualTo(
            "{\"name\":\"Ben\",\"systemPrompt\":\"You work.\\nHard.\\n\",\"provider\":{"
                + "\"name\":\"openai\",\"model\":\"big\",\"temperature\":0.2,"
                + "\"apiKey\":\"${env.KEY}\"},\"limits\":{\"maxStepsPerTurn\":20},"
                + "\"unknownKey\":[1,true,null]}");
  }

  @Test
  void json_is_read_as_json() throws IOException {
    options.config = file("ada.json", "{\"name\":\"Ada\"}");
    assertThat(JsonTree.text(options.body())).isEqualTo("{\"name\":\"Ada\"}");
  }

  @Test
  void a_model_alone_is_nobodys() {
    options.name = "Ada";
    options.model = "gpt";
    assertThatThrownBy(options::body)
        .isInstanceOf(Fault.class)
        .hasMessage("INVALID_ARGUMENTS: --model needs a provider");
  }

  @Test
  void a_name_has_to_come_from_somewhere() {
    assertThatThrownBy(options::body).isInstanceOf(Fault.class).hasMessageContaining("no name");
  }

  @Test
  void a_broken_file_names_the_line() throws IOException {
    options.config = file("ada.yaml", "name: Ada\nname: Ben\n");
    assertThatThrownBy(options::body).isInstanceOf(Fault.class).hasMessageContaining("line 2");
  }

  @Test
  void references_inside_a_file_are_refused_rather_than_misread() throws IOException {
    options.config = file("ada.yaml", "name: &n Ada\nhandle: *n\n");
    assertThatThrownBy(options::body).isInstanceOf(Fault.class).hasMessageContaining("alias");
  }

  @Test
  void a_missing_file_is_the_callers_matter() {
    options.config = folder.resolve("none.yaml");
    assertThatThrownBy(options::body)
        .isInstanceOf(Fault.class)
        .hasMessageContaining("file not found");
  }
}
