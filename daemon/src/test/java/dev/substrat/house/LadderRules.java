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

/// What can be seen in the classes: who may know whom. Each broken rule is one line.
final class LadderRules {
  /// Each package may use those before it, never those after. Reading it from the top is reading
  /// the story.
  static final List<String> LADDER =
      List.of(
          "protocol",
          "fault",
          "id",
          "access",
          "log",
          "later",
          "process",
          "sandbox",
          "json",
          "rpc",
          "config",
          "store",
          "telemetry",
          "http",
          "outgoing",
          "upstream",
          "event",
          "credential",
          "person",
          "limit",
          "budget",
          "capability",
          "team",
          "transcript",
          "pending",
          "tool",
          "inbox",
          "message",
          "space",
          "meaning",
          "search",
          "memory",
          "goal",
          "remote",
          "permission",
          "gateway",
          "workspace",
          "lead",
          "template",
          "zoo",
          "prompt",
          "provider",
          "agentcli",
          "llm",
          "turn",
          "replay",
          "engine",
          "mcp",
          "desk",
          "api",
          "console",
          "page",
          "daemon");

  private LadderRules() {}

  static List<String> broken(Path... classFolders) {
    JavaClasses classes = new ClassFileImporter().importPaths(classFolders);
    var broken = new ArrayList<String>();
    broken.addAll(
        lines(slices().matching("dev.substrat.(*)..").should().beFreeOfCycles().evaluate(classes)));
    for (int rung = 0; rung < LADDER.size() - 1; rung++) {
      broken.addAll(lines(upward(rung).evaluate(classes)));
    }
    for (JavaClass type : classes) {
      checkPlace(type, broken);
    }
    return broken.stream().distinct().toList();
  }

  private static ArchRule upward(int rung) {
    String[] later =
        LADDER.subList(rung + 1, LADDER.size()).stream()
            .map(name -> "dev.substrat." + name + "..")
            .toArray(String[]::new);
    return noClasses()
        .that()
        .resideInAPackage("dev.substrat." + LADDER.get(rung) + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(later)
        .allowEmptyShould(true);
  }

  private static void checkPlace(JavaClass type, List<String> broken) {
    String[] path = type.getPackageName().split("\\.");
    if (path.length < 3 || !LADDER.contains(path[2])) {
      broken.add(type.getPackageName() + " has no rung on the ladder");
    }
    if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
      broken.add(type.getPackageName() + " is not @NullMarked");
    }
  }

  private static List<String> lines(EvaluationResult result) {
    return result.getFailureReport().getDetails();
  }
}
