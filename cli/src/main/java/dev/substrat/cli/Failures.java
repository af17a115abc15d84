package dev.substrat.cli;

import dev.substrat.cli.shell.Plain;
import dev.substrat.cli.shell.Screen;
import dev.substrat.cli.shell.Style;
import dev.substrat.cli.wire.Json;
import dev.substrat.cli.wire.Problems;
import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// The one place where a failure becomes words and an exit code.
final class Failures {
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

  /// The arguments do not fit. The command line library knows what may have been meant.
  int misuse(ParameterException e) {
    String path = e.getCommandLine().getCommandSpec().qualifiedName();
    String hint = suggestion(e);
    return tell(
        new Fault(
            ErrorCode.INVALID_ARGUMENTS,
            String.valueOf(e.getMessage()).replace("\n", " "),
            hint == null ? "see ./%s --help".formatted(path) : hint));
  }

  private static @Nullable String suggestion(ParameterException e) {
    if (!(e instanceof UnmatchedArgumentException unmatched)) {
      return null;
    }
    List<String> near = unmatched.getSuggestions();
    return near.isEmpty()
        ? null
        : "did you mean "
            + String.join(" or ", near.subList(0, Math.min(3, near.size())))
            + "? ./%s --help lists what there is"
                .formatted(e.getCommandLine().getCommandSpec().qualifiedName());
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
      if (details != null) {
        details.forEach(detail ->
            screen.note("  " + Plain.line(detail.pointer()) + "  " + Plain.line(detail.message())));
      }
      screen.note("hint: " + Plain.line(problem.hint()));
    }
    return fault.code().kind().exitCode();
  }
}
