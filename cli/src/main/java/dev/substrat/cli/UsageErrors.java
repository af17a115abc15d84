package dev.substrat.cli;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.SpellingSuggestion;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Error messages for invalid arguments. picocli's own messages mention indexes and classes, which
/// mean nothing to a user.
record UsageErrors(ParameterException cause) {

  /// A pattern of picocli's message and its replacement. The first match is used.
  private record MessageReplacement(Pattern theirs, String ours) {
    static MessageReplacement of(String theirs, String ours) {
      return new MessageReplacement(Pattern.compile(theirs, Pattern.DOTALL), ours);
    }
  }

  private static final List<MessageReplacement> WORDINGS =
      List.of(
          MessageReplacement.of(
              "Missing required (?:parameter|option): '([^']*)'", "$1 is missing"),
          MessageReplacement.of(
              "Missing required (?:parameters|options)[^:]*: (.*)", "$1 are missing"),
          MessageReplacement.of(
              "Missing required parameter for option '([^']*)' \\((.*)\\)", "$1 needs a value: $2"),
          MessageReplacement.of(
              "Expected parameter for option '([^']*)' but found '([^']*)'",
              "$1 needs a value, but '$2' is an option"),
          MessageReplacement.of("Unmatched argument at index \\d+: (.*)", "unexpected argument $1"),
          MessageReplacement.of(
              "Unmatched arguments from index \\d+: (.*)", "unexpected arguments: $1"),
          MessageReplacement.of("Unknown options?: ('[^']*').*", "unknown option $1"),
          MessageReplacement.of(
              "[oO]ption '([^']*)'(?: \\(.*\\))? should be specified only once",
              "$1 is given more than once"),
          MessageReplacement.of(
              "Error: Missing required argument[^:]*: (.*)", "one of these is missing: $1"),
          MessageReplacement.of(
              "Error: (.*) are mutually exclusive.*", "use only one of these: $1"),
          MessageReplacement.of(
              "Invalid value for option '([^']*)'[^:]*: cannot convert '([^']*)' to BigDecimal.*",
              "$1: '$2' is not a number"),
          MessageReplacement.of(
              "Invalid value for option '([^']*)'[^:]*: ('.*') is not an? (?:int|long)",
              "$1: $2 is not a whole number"),
          MessageReplacement.of("Invalid value for option '([^']*)'[^:]*: (.*)", "$1: $2"),
          MessageReplacement.of(
              "Invalid value for positional parameter[^(]*\\(([^)]*)\\): (.*)", "$1: $2"));

  Fault fault() {
    return ErrorCode.INVALID_ARGUMENTS.fault(message(), advice());
  }

  private String message() {
    if (isNoCommand()) {
      return "unknown command '%s'".formatted(unmatched());
    }
    String message = String.valueOf(cause.getMessage()).replace("\n", " ");
    CommandSpec command = cause.getCommandLine().getCommandSpec();
    return message.equals("Missing required subcommand")
        ? "%s needs a subcommand: %s"
            .formatted(command.name(), String.join(", ", command.subcommands().keySet()))
        : plain(message);
  }

  private static String plain(String message) {
    return WORDINGS.stream()
        .filter(wording -> wording.theirs().matcher(message).matches())
        .findFirst()
        .map(wording -> wording.theirs().matcher(message).replaceFirst(wording.ours()))
        .orElse(message);
  }

  private boolean isNoCommand() {
    boolean wantsCommand = !cause.getCommandLine().getSubcommands().isEmpty();
    return wantsCommand && !unmatched().isEmpty() && !unmatched().startsWith("-");
  }

  /// The first unknown argument, or an empty string.
  private String unmatched() {
    return cause instanceof UnmatchedArgumentException unmatched
        ? unmatched.getUnmatched().stream().findFirst().orElse("")
        : "";
  }

  private String advice() {
    CommandSpec command = cause.getCommandLine().getCommandSpec();
    String help = "./%s --help".formatted(command.qualifiedName());
    String question = SpellingSuggestion.suggestion(unmatched().split("=", 2)[0], known(command));
    if (!question.isEmpty()) {
      return question + "see " + help;
    }
    // picocli does not count an unknown option as TEXT.
    if (command.name().equals("send") && !isOneTooMany()) {
      return "see %s; put -- before a TEXT that looks like an option: send AGENT -- TEXT"
          .formatted(help);
    }
    return isOneTooMany() && takesText(command)
        ? "put a text of several words in quotes; see " + help
        : "see " + help;
  }

  private boolean isOneTooMany() {
    return !unmatched().isEmpty() && !unmatched().startsWith("-") && !isNoCommand();
  }

  private static boolean takesText(CommandSpec command) {
    return command.positionalParameters().stream()
        .anyMatch(one -> Stream.of("TEXT", "TOPIC", "QUERY").anyMatch(one.paramLabel()::equals));
  }

  private List<String> known(CommandSpec command) {
    return List.copyOf(
        unmatched().startsWith("-")
            ? command.optionsMap().keySet()
            : command.subcommands().keySet());
  }
}
