package dev.substrat.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.cli.client.JsonTree;
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
  void options_alone_form_a_configuration() {
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
  void a_command_runs_in_the_directory_of_its_file_by_default() throws IOException {
    options.config =
        file("ada.yaml", "{name: Ada, provider: {name: scripted, command: [python3, agent.py]}}");
    assertThat(options.body().path("provider").path("directory").asText())
        .isEqualTo(folder.toAbsolutePath().normalize().toString());

    options.config =
        file("ben.yaml", "{name: Ben, provider: {name: scripted, command: [x], directory: /srv}}");
    assertThat(options.body().path("provider").path("directory").asText()).isEqualTo("/srv");
  }

  /// Its command is an installed program; it runs in the workspace.
  @Test
  void an_agent_cli_does_not_run_in_the_directory_of_its_file() throws IOException {
    options.config =
        file("ada.yaml", "{name: Ada, provider: {name: codex, command: [/opt/bin/codex]}}");
    assertThat(options.body().path("provider").has("directory")).isFalse();
  }

  @Test
  void options_override_the_file() throws IOException {
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
  void a_model_needs_a_provider() {
    options.name = "Ada";
    options.model = "gpt";
    assertThatThrownBy(options::body)
        .isInstanceOf(Fault.class)
        .hasMessage("INVALID_ARGUMENTS: --model needs a provider");
  }

  @Test
  void a_name_is_required() {
    assertThatThrownBy(options::body).isInstanceOf(Fault.class).hasMessageContaining("no name");
  }

  @Test
  void a_broken_file_names_the_line() throws IOException {
    options.config = file("ada.yaml", "name: Ada\nname: Ben\n");
    assertThatThrownBy(options::body).isInstanceOf(Fault.class).hasMessageContaining("line 2");
  }

  @Test
  void yaml_aliases_are_rejected() throws IOException {
    options.config = file("ada.yaml", "name: &n Ada\nhandle: *n\n");
    assertThatThrownBy(options::body).isInstanceOf(Fault.class).hasMessageContaining("alias");
  }

  @Test
  void a_missing_file_is_an_invalid_argument() {
    options.config = folder.resolve("none.yaml");
    assertThatThrownBy(options::body)
        .isInstanceOf(Fault.class)
        .hasMessageContaining("file not found");
  }
}
