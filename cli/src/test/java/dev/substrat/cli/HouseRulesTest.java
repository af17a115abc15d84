package dev.substrat.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/// Dependency rules of the command line. The rules for sources are checked in the module `daemon`.
final class HouseRulesTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter().importPath(Path.of("target/classes"));

  @Test
  void the_command_line_does_not_depend_on_the_daemon() {
    noClasses()
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "are other parts of Substrat",
                type ->
                    type.getPackageName().startsWith("dev.substrat")
                        && !type.getPackageName()
                            .matches("dev\\.substrat\\.(cli|protocol)(\\..*)?")))
        .check(CLASSES);
  }

  @Test
  void subpackages_do_not_depend_on_the_root_package() {
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
}
