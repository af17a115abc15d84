package dev.substrat.cli;

import dev.substrat.cli.shell.Plain;
import dev.substrat.cli.shell.Screen;
import dev.substrat.cli.shell.Style;
import dev.substrat.cli.wire.Json;
import dev.substrat.cli.wire.Problems;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.ParameterException;

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

  /// The arguments do not fit.
  int misuse(ParameterException e) {
    return tell(new Misuse(e).fault());
  }

  /// The first few mistakes often are the message.
  private static boolean isSaid(Problem.Detail detail, String message) {
    return message.contains(Problems.sentence(detail))
        || message.contains(detail.pointer() + " " + detail.message());
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
      Stream.ofNullable(problem.details())
          .flatMap(List::stream)
          .filter(detail -> !isSaid(detail, problem.message()))
          .map(detail -> detail.pointer() + "  " + detail.message())
          .forEach(line -> screen.note("  " + Plain.line(line)));
      screen.note("hint: " + Plain.line(problem.hint()));
    }
    return fault.code().kind().exitCode();
  }
}
