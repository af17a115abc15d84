package dev.substrat.cli;

import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.client.ProblemConverter;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.cli.terminal.TextStyle;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.ParameterException;

/// Prints failures and maps them to exit codes.
record FailureReporter(Terminal screen, boolean json) {

  int report(Throwable failure) {
    if (failure instanceof Fault fault) {
      return print(fault);
    }
    int code =
        print(
            ErrorCode.INTERNAL.fault(
                "unexpected error in this command: " + failure,
                "this is a bug; set SUBSTRAT_DEBUG=1 for a stack trace",
                failure));
    if (System.getenv("SUBSTRAT_DEBUG") != null) {
      failure.printStackTrace(screen.err());
    }
    return code;
  }

  /// The arguments are invalid.
  int usageError(ParameterException e) {
    return print(new UsageErrors(e).fault());
  }

  /// The message often contains the first few details already.
  private static boolean isInMessage(Problem.ProblemDetail detail, String message) {
    return message.contains(ProblemConverter.sentence(detail))
        || message.contains(detail.pointer() + " " + detail.message());
  }

  private int print(Fault fault) {
    Problem problem = fault.problem();
    if (json) {
      screen.note(JsonTree.text(ProblemConverter.json(problem)));
    } else {
      boolean colours = screen.errIsTerminal() && screen.hasColours();
      screen.note(
          TextStyle.BAD.paint("error " + problem.code(), colours)
              + ": "
              + TerminalText.line(problem.message()));
      Stream.ofNullable(problem.details())
          .flatMap(List::stream)
          .filter(detail -> !isInMessage(detail, problem.message()))
          .map(detail -> detail.pointer() + "  " + detail.message())
          .forEach(line -> screen.note("  " + TerminalText.line(line)));
      screen.note("hint: " + TerminalText.line(problem.hint()));
    }
    return fault.code().kind().exitCode();
  }
}
