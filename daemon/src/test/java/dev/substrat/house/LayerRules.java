package dev.substrat.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullMarked;

/// Checks compiled classes: a layer (top-level package) uses only the layers below it. Each
/// violation is one line.
final class LayerRules {
  /// From the ground up. The map in ARCHITECTURE.md is compared with this list.
  static final List<String> LAYERS =
      List.of(
          "protocol",
          "platform",
          "store",
          "http",
          "mcp",
          "access",
          "team",
          "tool",
          "messaging",
          "space",
          "memory",
          "schedule",
          "toolset",
          "catalog",
          "provider",
          "turn",
          "console",
          "server");

  private LayerRules() {}

  static List<String> violations(Path... classDirectories) {
    JavaClasses classes = new ClassFileImporter().importPaths(classDirectories);
    var violations = new ArrayList<String>();
    violations.addAll(
        lines(slices().matching("dev.substrat.(*)..").should().beFreeOfCycles().evaluate(classes)));
    for (int layer = 0; layer < LAYERS.size() - 1; layer++) {
      violations.addAll(lines(noUseOfHigherLayers(layer).evaluate(classes)));
    }
    for (JavaClass type : classes) {
      checkPackage(type, violations);
    }
    return violations.stream().distinct().toList();
  }

  private static ArchRule noUseOfHigherLayers(int layer) {
    String[] higher =
        LAYERS.subList(layer + 1, LAYERS.size()).stream()
            .map(name -> "dev.substrat." + name + "..")
            .toArray(String[]::new);
    return noClasses()
        .that()
        .resideInAPackage("dev.substrat." + LAYERS.get(layer) + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(higher)
        .allowEmptyShould(true);
  }

  private static void checkPackage(JavaClass type, List<String> violations) {
    String[] path = type.getPackageName().split("\\.");
    if (path.length < 3 || !LAYERS.contains(path[2])) {
      violations.add(type.getPackageName() + " belongs to no layer");
    }
    if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
      violations.add(type.getPackageName() + " is not @NullMarked");
    }
  }

  private static List<String> lines(EvaluationResult result) {
    return result.getFailureReport().getDetails();
  }
}
