package dev.substrat.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Export and import of skills as `SKILL.md`.
final class SkillFileTest {
  private static final String[] WORDS = {
    "Tie",
    "…",
    "knots",
    "---",
    "\n",
    "\n\n",
    "\n\n\n",
    ": ",
    "# x",
    "\"",
    "'",
    "é",
    "- a",
    "Tie knots"
  };

  @Test
  void an_exported_skill_follows_the_format() {
    var skill = JsonTree.object().put("id", "ts-expert").put("name", "TypeScript Expert");
    skill.put("description", "Prefer strict types.\n\nNever any.\n").put("category", "Languages");

    assertThat(SkillFile.text(skill, "typescript-expert"))
        .isEqualTo(
            """
            ---
            name: typescript-expert
            description: Prefer strict types.
            metadata:
              substrat-name: TypeScript Expert
              substrat-id: ts-expert
              substrat-category: Languages
            ---

            Never any.
            """);
    assertThat(parse(SkillFile.text(skill, "typescript-expert")).skill().path("id").asText())
        .isEqualTo("ts-expert");
  }

  @Test
  void an_imported_skill_lists_ignored_keys() {
    SkillFile read =
        parse(
            """
            \ufeff---\r
            name: pdf\r
            description: Use for PDF files.\r
            license: MIT\r
            metadata:\r
              author: somebody\r
            ---\r
            \r
            # PDF\r
            \r
            Read it.\r
            """);

    assertThat(read.skill().path("name").asText()).isEqualTo("pdf");
    assertThat(read.skill().path("description").asText())
        .isEqualTo("Use for PDF files.\n\n# PDF\n\nRead it.");
    assertThat(read.passedOver()).containsExactly("license", "metadata.author");
    assertThat(SkillFile.text(read.skill(), "pdf"))
        .isEqualTo("---\nname: pdf\ndescription: Use for PDF files.\n---\n\n# PDF\n\nRead it.\n");
  }

  @Test
  void skills_are_preserved_by_export_and_import() {
    var random = new Random(7);
    for (int round = 0; round < 3_000; round++) {
      var text = new StringBuilder();
      for (int i = random.nextInt(7); i > 0; i--) {
        text.append(WORDS[random.nextInt(WORDS.length)]);
      }
      if (random.nextInt(10) == 0) {
        text.append("long ".repeat(300));
      }
      ObjectNode skill = JsonTree.object().put("name", random.nextBoolean() ? "Tie" : "x: y");
      if (!text.toString().isBlank()) {
        skill.put("description", text.toString().strip());
      }
      if (random.nextBoolean()) {
        skill.put("category", "no").put("enabled", false).putArray("requires").add("a, b");
      }
      String file = SkillFile.text(skill, "folder");

      assertThat(parse(file).skill()).as("round %d: %s", round, file).isEqualTo(skill);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "# No head",
        "---\nname: x\n",
        "---\n---\ntext",
        "---\ndescription: no name\n---\n",
        "---\nname: [\n---\n",
        "---\nname: x\nname: y\n---\n",
        "---\njust a text\n---\n"
      })
  void invalid_skill_files_are_rejected(String text) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOfSatisfying(
            Fault.class, fault -> assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_CONFIG));
  }

  @Test
  void an_error_names_the_right_line() {
    assertThatThrownBy(() -> parse("---\nname: x\ndescription: [\n---\n"))
        .hasMessageContaining("SKILL.md line 4");
  }

  private static SkillFile parse(String text) {
    return SkillFile.parse("SKILL.md", text.getBytes(StandardCharsets.UTF_8));
  }
}
