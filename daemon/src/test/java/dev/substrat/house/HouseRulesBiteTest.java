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

/// Breaks each rule of [HouseRulesTest] on purpose and expects a violation.
final class HouseRulesBiteTest {
  private static final SizeExceptions NO_EXCEPTIONS = SizeExceptions.parse("");

  @TempDir private Path sources;

  @Test
  void an_upward_dependency_is_found() throws IOException {
    introduce("store");
    introduce("turn");
    write("turn/Slot.java", "package dev.substrat.turn; public class Slot {}");
    write(
        "store/Climber.java",
        "package dev.substrat.store; class Climber { dev.substrat.turn.Slot slot; }");

    assertThat(LayerRules.violations(compiled())).anyMatch(line -> line.contains("Climber.slot"));
  }

  @Test
  void a_cycle_is_found() throws IOException {
    introduce("team");
    introduce("tool");
    write("team/A.java", "package dev.substrat.team; public class A { dev.substrat.tool.B b; }");
    write("tool/B.java", "package dev.substrat.tool; public class B { dev.substrat.team.A a; }");

    assertThat(LayerRules.violations(compiled())).anyMatch(line -> line.contains("Cycle detected"));
  }

  @Test
  void a_package_without_a_layer_is_found() throws IOException {
    introduce("stuff");
    write("stuff/Thing.java", "package dev.substrat.stuff; class Thing {}");

    assertThat(LayerRules.violations(compiled()))
        .contains("dev.substrat.stuff belongs to no layer");
  }

  @Test
  void a_file_of_500_lines_is_found() throws IOException {
    introduce("team");
    write("team/Long.java", "package dev.substrat.team;\n" + "\n".repeat(498) + "class Long {}\n");

    assertThat(SourceRules.broken(sources, NO_EXCEPTIONS))
        .anyMatch(line ->
            line.contains("has 500 lines (guide: 400)")
                && line.contains("list it with its reason in " + SizeExceptions.FILE));
  }

  @Test
  void a_long_file_and_a_long_method_that_are_listed_with_a_reason_are_not_found()
      throws IOException {
    introduce("team");
    write(
        "team/Long.java",
        "package dev.substrat.team;\nclass Long { void run() {\n" + "\n".repeat(498) + "} }\n");
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
    assertThat(LayerRules.violations(compiled())).contains("dev.substrat.team is not @NullMarked");

    write("team/package-info.java", "/// A team.\npackage dev.substrat.team;");
    assertThat(SourceRules.broken(sources, NO_EXCEPTIONS))
        .anyMatch(line -> line.contains("@NullMarked"));
  }

  @Test
  void a_long_method_and_one_with_too_many_parameters_are_found() throws IOException {
    introduce("team");
    write(
        "team/Wide.java",
        "package dev.substrat.team; class Wide { void much(int a, int b, int c, int d, int e, int f, int g) {\n"
            + "int x = 1;\n".repeat(51)
            + "} }");

    assertThat(SourceRules.broken(sources, NO_EXCEPTIONS))
        .anyMatch(line -> line.contains("#much has 7 parameters (guide: 6)"))
        .anyMatch(line -> line.contains("#much has 53 lines (guide: 50)"));
  }

  @Test
  void a_package_of_26_files_and_a_repeated_name_are_found() throws IOException {
    introduce("team");
    for (int i = 1; i <= 26; i++) {
      write("team/A%d.java".formatted(i), "package dev.substrat.team; class A%d {}".formatted(i));
    }
    write("tool/A1.java", "package dev.substrat.tool; class A1 {}");

    assertThat(SourceRules.crowdedPackages(sources))
        .singleElement()
        .asString()
        .endsWith("team has 26 files");
    assertThat(SourceRules.repeatedNames(SourceRules.javaFiles(sources)))
        .containsExactly("A1.java");
  }

  @Test
  void a_write_to_the_table_of_another_layer_is_found() throws IOException {
    write(
        "space/Wrong.java",
        "package dev.substrat.space; class Wrong { String sql = \"update agent set x = 1\"; }");
    write(
        "team/Right.java",
        "package dev.substrat.team; class Right { String sql = \"insert into agent (x)\"; }");
    var owners = TableOwners.parse("# layers\nteam: agent\n");

    assertThat(
            owners.violations(sources, List.of("create table agent (x)", "create table lost (x)")))
        .containsExactly(
            "table lost has no owner", "Wrong.java writes table agent, which belongs to team");
  }

  @Test
  void a_test_class_on_the_wrong_databases_is_found() throws IOException {
    write("turn/Slots.java", "class Slots { String sql = \"select id from run\"; }");
    write("http/Route.java", "class Route {}");
    Path tests = sources.resolve("tests");
    for (String test : List.of("turn/Right", "http/Wrong")) {
      Path file = tests.resolve("dev/substrat/%sTest.java".formatted(test));
      Files.createDirectories(file.getParent());
      Files.writeString(file, "\n@OnEveryDatabase\nfinal class ATest {}");
    }
    Files.writeString(
        tests.resolve("dev/substrat/turn/SlotsTest.java"),
        "\n@OnOneDatabase\nfinal class SlotsTest {}");

    assertThat(DatabaseVariants.violations(sources, tests))
        .containsExactly(
            "WrongTest.java: use @OnOneDatabase, because its package contains no SQL",
            "SlotsTest.java: use @OnEveryDatabase, because its package contains SQL");
  }

  @Test
  void a_package_missing_in_the_map_is_found() throws IOException {
    Path page = Path.of("../ARCHITECTURE.md");
    String map = SourceRules.read(page);
    String stale = map.replaceFirst("\\|[^|\n]*\\| `turn` \\|[^\n]*\n", "");

    assertThat(stale).isNotEqualTo(map);
    assertThat(ArchitectureMap.renewed(stale, Path.of(".."))).isEqualTo(map);
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
