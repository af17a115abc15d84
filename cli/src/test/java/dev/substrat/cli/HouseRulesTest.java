package dev.substrat.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/// The rules of the house that a compiler cannot check.
final class HouseRulesTest {
  private static final Path SOURCES = Path.of("src/main/java");
  private static final int MAX_LINES = 300;

  private static final JavaClasses CLASSES =
      new ClassFileImporter().importPath(Path.of("target/classes"));

  @Test
  void the_command_line_knows_nothing_of_the_daemons_insides() {
    noClasses()
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "are other parts of Substrat",
                type ->
                    type.getPackageName().startsWith("dev.substrat")
                        && !type.getPackageName()
                            .matches("dev\\.substrat\\.(cli|protocol|fault)(\\..*)?")))
        .check(CLASSES);
  }

  @Test
  void parts_do_not_know_the_whole() {
    noClasses()
        .that()
        .resideInAPackage("dev.substrat.cli.*..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.substrat.cli")
        .check(CLASSES);
    slices().matching("dev.substrat.cli.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void every_package_is_null_marked() {
    assertThat(CLASSES)
        .extracting(JavaClass::getPackage)
        .allSatisfy(folder -> assertThat(folder.isAnnotatedWith(NullMarked.class)).isTrue());
  }

  @Test
  void no_file_outgrows_the_limit() {
    assertThat(javaFiles()).filteredOn(file -> lines(file) > MAX_LINES).isEmpty();
  }

  @Test
  void names_say_what_a_thing_is() {
    var vague = List.of("Impl", "Util", "Utils", "Helper", "Manager", "Processor", "Data", "Info");
    assertThat(javaFiles())
        .extracting(file -> file.getFileName().toString().replace(".java", ""))
        .filteredOn(name -> vague.stream().anyMatch(name::endsWith))
        .isEmpty();
  }

  @Test
  void every_package_introduces_itself() {
    assertThat(javaFiles())
        .extracting(Path::getParent)
        .allSatisfy(folder -> assertThat(folder.resolve("package-info.java")).exists());
  }

  private static List<Path> javaFiles() {
    try (var files = Files.walk(SOURCES)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long lines(Path file) {
    try (var lines = Files.lines(file)) {
      return lines.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
