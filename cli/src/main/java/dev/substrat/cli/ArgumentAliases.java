package dev.substrat.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine;

/// Rewrites typed arguments into the form that picocli expects.
final class ArgumentAliases {
  /// One or two dashes, then letters. Any other argument that starts with a dash is text.
  private static final Pattern OPTION =
      Pattern.compile("--?[A-Za-z][A-Za-z-]*(=.*)?", Pattern.DOTALL);

  /// Options without a value, of commands with a TEXT argument.
  private static final Set<String> FLAGS = Set.of("--wait", "--json", "--peek", "--remove");

  /// Global options with a value.
  private static final Set<String> VALUED = Set.of("--data", "--url", "--token", "--token-file");

  private static final Set<String> HELP = Set.of("-h", "--help");

  private ArgumentAliases() {}

  /// Index of the command, after any global options.
  static int commandIndex(String[] args) {
    for (int i = 0; i < args.length; i++) {
      int equals = args[i].indexOf('=');
      if (VALUED.contains(args[i])) {
        i++;
      } else if (!args[i].equals("--json")
          && (equals < 0 || !VALUED.contains(args[i].substring(0, equals)))) {
        return i;
      }
    }
    return args.length;
  }

  static String[] rewrite(String[] args) {
    int start = commandIndex(args);
    if (start == args.length) {
      return Stream.concat(Stream.of(args), Stream.of("--help")).toArray(String[]::new);
    }
    return switch (args[start]) {
      case "help" -> help(args, start);
      case "version" -> replaced(args, start, "--version");
      case "send", "space" -> textLast(args);
      case "server" -> refreshForLook(args, start + 1);
      default -> args;
    };
  }

  /// `server look` is the earlier name of `server refresh`.
  private static String[] refreshForLook(String[] args, int index) {
    return index < args.length && args[index].equals("look")
        ? replaced(args, index, "refresh")
        : args;
  }

  private static String[] help(String[] args, int start) {
    var words = Stream.of(args).skip(start + 1).filter(word -> !word.startsWith("-")).toList();
    boolean known = words.isEmpty() || CommandCatalog.has(words.getFirst());
    // picocli would print the main help for an unknown command; without --help it is an error.
    var asked = known ? Stream.of("--help") : Stream.<String>empty();
    return Stream.concat(words.stream(), asked).toArray(String[]::new);
  }

  /// For an unknown subcommand picocli would print the help of its parent. Without the help option
  /// it is an error that suggests the right spelling.
  static String[] removeHelpForUnknownCommand(CommandLine line, String[] args) {
    CommandLine known = line;
    for (int i = commandIndex(args); i < args.length && !known.getSubcommands().isEmpty(); i++) {
      if (args[i].startsWith("-")) {
        return args;
      }
      CommandLine next = known.getSubcommands().get(args[i]);
      if (next == null) {
        return Stream.of(args).filter(word -> !HELP.contains(word)).toArray(String[]::new);
      }
      known = next;
    }
    return args;
  }

  private static String[] replaced(String[] args, int index, String word) {
    var changed = args.clone();
    changed[index] = word;
    return changed;
  }

  /// "-5 degrees" is text, not an option: it is moved after `--`.
  private static String[] textLast(String[] args) {
    List<String> words = Arrays.asList(args);
    var texts =
        IntStream.range(0, args.length).filter(i -> isDashedText(words, i)).boxed().toList();
    if (texts.size() != 1 || words.contains("--")) {
      return args;
    }
    var others = new ArrayList<>(words);
    String text = others.remove((int) texts.getFirst());
    return Stream.concat(others.stream(), Stream.of("--", text)).toArray(String[]::new);
  }

  /// The value of an option stays in place, even if it looks like text.
  private static boolean isDashedText(List<String> words, int index) {
    String before = index == 0 ? "" : words.get(index - 1);
    boolean isValue =
        OPTION.matcher(before).matches() && !before.contains("=") && !FLAGS.contains(before);
    return !isValue && isDashedText(words.get(index));
  }

  private static boolean isDashedText(String word) {
    return word.length() > 1
        && word.startsWith("-")
        && !word.equals("--")
        && !OPTION.matcher(word).matches();
  }
}
