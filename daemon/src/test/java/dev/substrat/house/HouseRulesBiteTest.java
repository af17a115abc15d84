package dev.substrat.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A rule that nothing can break is no rule: here each is broken on purpose.
final class HouseRulesBiteTest {
  private static final SizeExceptions NO_EXCEPTIONS = SizeExceptions.parse("");

  @TempDir private Path sources;

  @Test
  void an_upward_dependency_is_found() throws IOException {
    introduce("fault");
    introduce("turn");
    write("turn/Slot.java", "package dev.substrat.turn; public class Slot {}");
    write(
        "fault/Climber.java",
        "package dev.substrat.fault; class Climber { dev.substrat.turn.Slot slot; }");

    assertThat(LadderRules.broken(compiled())).anyMatch(line -> line.contains("Climber.slot"));
  }

  @Test
  void a_cycle_is_found() throws IOException {
    introduce("team");
    introduce("inbox");
    write("team/A.java", "package dev.substrat.team; public class A { dev.substrat.inbox.B b; }");
    write("inbox/B.java", "package dev.substrat.inbox; public class B { dev.substrat.team.A a; }");

    assertThat(LadderRules.broken(compiled())).anyMatch(line -> line.contains("Cycle detected"));
  }

  @Test
  void a_package_without_a_rung_is_found() throws IOException {
    introduce("stuff");
    write("stuff/Thing.java", "package dev.substrat.stuff; class Thing {}");

    assertThat(LadderRules.broken(compiled()))
        .contains("dev.substrat.stuff has no rung on the ladder");
  }

  @Test
  void a_file_of_400_lines_is_found() throws IOException {
    introduce("team");
    write("team/Long.java", "package dev.substrat.team;\n" + "\n".repeat(398) + "class Long {}\n");

    assertThat(SourceRules.broken(sources, NO_EXCEPTIONS))
        .anyMatch(line ->
            line.contains("has 400 lines (guide: 300)")
                && line.contains("list it with its reason in " + SizeExceptions.FILE));
  }

  @Test
  void a_long_file_and_a_long_method_that_are_listed_with_a_reason_are_not_found()
      throws IOException {
    introduce("team");
    write(
        "team/Long.java",
        "package dev.substrat.team;\nclass Long { void run() {\n" + "\n".repeat(398) + "} }\n");
    var exceptions =
        SizeExceptions.parse(
            """
            # one of each
            dev/substrat/team/Long.java: the state machine of a turn, read from top to bottom
            dev/substrat/team/Long.java#run: one switch with a short case for each state
            dev/substrat/team/Gone.java: not needed any more
            """);

    assertThat(SourceRules.broken(sources, exceptions))
        .noneMatch(line -> line.contains("Long.java"));
    assertThat(exceptions.unused()).containsExactly("dev/substrat/team/Gone.java");
  }

  @Test
  void a_size_exception_needs_a_reason() {
    assertThatThrownBy(() -> SizeExceptions.parse("dev/substrat/team/Long.java: "))
        .hasMessageContaining("without a reason");
  }

  @Test
  void a_vague_name_is_found() throws IOException {
    introduce("team");
    write("team/FooUtil.java", "package dev.substrat.team; class FooUtil {}");

    assertThat(SourceRules.broken(sources, NO_EXCEPTIONS))
        .anyMatch(line -> line.contains("FooUtil.java has a name"));
  }

  @Test
  void an_unmarked_package_is_found() throws IOException {
    write("team/Lonely.java", "package dev.substrat.team; class Lonely {}");
    assertThat(SourceRules.broken(sources, NO_EXCEPTIONS))
        .anyMatch(line -> line.contains("no package-info.java"));
    assertThat(LadderRules.broken(compiled())).contains("dev.substrat.team is not @NullMarked");

    write("team/package-info.java", "/// A team.\npackage dev.substrat.team;");
    assertThat(SourceRules.broken(sources, NO_EXCEPTIONS))
        .anyMatch(line -> line.contains("@NullMarked"));
  }

  @Test
  void a_long_method_and_one_that_takes_too_much_are_found() throws IOException {
    introduce("team");
    write(
        "team/Wide.java",
        "package dev.substrat.team; class Wide { void much(int a, int b, int c, int d, int e, int f, int g) {\n"
            + "int x = 1;\n".repeat(41)
            + "} }");

    assertThat(SourceRules.broken(sources, NO_EXCEPTIONS))
        .anyMatch(line -> line.contains("#much has 7 parameters (guide: 6)"))
        .anyMatch(line -> line.contains("#much has 43 lines (guide: 40)"));
  }

  @Test
  void a_wildcard_import_is_found() throws IOException {
    introduce("team");
    write("team/Vague.java", "package dev.substrat.team; import java.util.*; class Vague {}");

    assertThat(SourceRules.broken(sources, NO_EXCEPTIONS))
        .anyMatch(line -> line.contains("java.util.*"));
  }

  private void introduce(String name) throws IOException {
    write(
        name + "/package-info.java",
        "/// For this test.\n@org.jspecify.annotations.NullMarked package dev.substrat.%s;"
            .formatted(name));
  }

  private void write(String file, String text) throws IOException {
    Path path = sources.resolve("dev/substrat").resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private Path compiled() {
    var compiler = ToolProvider.getSystemJavaCompiler();
    String[] files =
        SourceRules.javaFiles(sources).stream().map(Path::toString).toArray(String[]::new);
    var arguments = new ArrayList<String>(List.of("-d", sources.toString(), "-proc:none"));
    arguments.add("-cp");
    arguments.add(System.getProperty("java.class.path"));
    arguments.addAll(List.of(files));
    assertThat(compiler.run(null, null, null, arguments.toArray(String[]::new))).isZero();
    return sources;
  }
}
