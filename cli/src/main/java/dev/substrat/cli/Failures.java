package dev.substrat.cli;

import dev.substrat.cli.shell.Plain;
import dev.substrat.cli.shell.Screen;
import dev.substrat.cli.shell.Style;
import dev.substrat.cli.wire.Json;
import dev.substrat.cli.wire.Problems;
import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Problem;
import dev.substrat.protocol.Spelling;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// The one place where a failure becomes words and an exit code.
final class Failures {
  private static final Pattern CLASS =
      Pattern.compile("cannot convert '([^']*)' to BigDecimal \\(.*\\)");

  private final Screen screen;
  private final boolean json;

  Failures(Screen screen, boolean json) {
    this.screen = screen;
    this.json = json;
  }

  int report(Throwable failure) {
    if (failure instanceof Fault fault) {
      return tell(fault);
    }
    int code =
        tell(
            new Fault(
                ErrorCode.INTERNAL,
                "the command line broke: " + failure,
                "this is a bug; SUBSTRAT_DEBUG=1 shows where",
                failure));
    if (System.getenv("SUBSTRAT_DEBUG") != null) {
      failure.printStackTrace(screen.err());
    }
    return code;
  }

  /// The arguments do not fit.
  int misuse(ParameterException e) {
    return tell(new Fault(ErrorCode.INVALID_ARGUMENTS, complaint(e), advice(e)));
  }

  private static String complaint(ParameterException e) {
    boolean wantsCommand = !e.getCommandLine().getSubcommands().isEmpty();
    String word = unmatched(e);
    return wantsCommand && !word.isEmpty() && !word.startsWith("-")
        ? "there is no command '%s'".formatted(word)
        : plain(String.valueOf(e.getMessage()).replace("\n", " "));
  }

  /// Without the library's own words: what it could not convert to which class says nothing to
  /// whoever typed it.
  private static String plain(String message) {
    return CLASS
        .matcher(message)
        .replaceFirst("'$1' is not a number")
        .replaceFirst("is not an? (int|long)\\b", "is not a whole number")
        .replaceFirst("^Error: Missing required argument[^:]*: ", "one of these is missing: ");
  }

  /// The first word that nobody knows what to do with, or nothing.
  private static String unmatched(ParameterException e) {
    return e instanceof UnmatchedArgumentException unmatched
        ? unmatched.getUnmatched().stream().findFirst().orElse("")
        : "";
  }

  private static String advice(ParameterException e) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    String help = "./%s --help".formatted(command.qualifiedName());
    String word = unmatched(e);
    List<String> near = word.isEmpty() ? List.of() : near(word, command);
    if (!near.isEmpty()) {
      return "did you mean %s? %s lists what there is".formatted(String.join(" or ", near), help);
    }
    // The library counts an unknown option as no text at all.
    return command.name().equals("send")
        ? "see %s; a TEXT that looks like an option goes after --: send AGENT -- TEXT"
            .formatted(help)
        : "see " + help;
  }

  private static List<String> near(String word, CommandSpec command) {
    return word.startsWith("-")
        ? Spelling.near(word.split("=", 2)[0], command.optionsMap().keySet())
        : Spelling.near(word, command.subcommands().keySet());
  }

  /// A single mistake often is the whole message.
  private static boolean isSaid(List<Problem.Detail> details, String message) {
    return details.size() == 1 && message.endsWith(details.getFirst().message());
  }

  private int tell(Fault fault) {
    Problem problem = fault.problem();
    if (json) {
      screen.note(Json.text(Problems.json(problem)));
    } else {
      boolean colours = screen.errIsTerminal() && screen.hasColours();
      screen.note(
          Style.BAD.paint("error " + problem.code(), colours)
              + ": "
              + Plain.line(problem.message()));
      var details = problem.details();
      if (details != null && !isSaid(details, problem.message())) {
        details.forEach(detail ->
            screen.note("  " + Plain.line(detail.pointer()) + "  " + Plain.line(detail.message())));
      }
      screen.note("hint: " + Plain.line(problem.hint()));
    }
    return fault.code().kind().exitCode();
  }
}
