package dev.substrat.examples;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.watch.EventPrinter;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.platform.log.Log;
import dev.substrat.platform.log.LogLineFormatter;
import dev.substrat.protocol.Fault;
import dev.substrat.server.Daemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./substrat demo`: runs scripted teams on a daemon with a temporary database and prints events.
@Command(
    name = "substrat demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = {
      "Examples:",
      "  ./substrat demo            # runs until Ctrl-C and prints a link to the console",
      "  ./substrat demo --once     # runs once and exits",
      ""
    },
    description = "Run scripted example teams. Needs no API key, no model and no setup.")
public final class Demo implements Callable<Integer> {
  private static final List<String> QUESTIONS =
      List.of("Can we sail at noon?", "Can we take a passenger?", "Are we ready for the storm?");

  private static final List<String> NEWS =
      List.of(
          "The Henley order has doubled. Can we deliver by Friday?",
          "Henley wants another order, in blue.",
          "Henley paid. The next order is on its way.");

  private static final Set<String> VISIBLE_EVENTS =
      Set.of("message_created", "reaction_added", "memory_updated", "passage_stored", "wake_held");

  private static final Duration PAUSE = Duration.ofSeconds(20);

  @Option(names = "--once", description = "Run the demo once, print a summary and exit.")
  private boolean once;

  @Option(names = "--port", paramLabel = "N", description = "TCP port (default: a free one).")
  private int port;

  private final Terminal screen = Terminal.system();

  public static void main(String... args) {
    Log.keepUntilTheEnd();
    var command = new CommandLine(new Demo());
    command.setExecutionExceptionHandler((failure, _, _) -> report(failure));
    System.exit(command.execute(args));
  }

  @Override
  public Integer call() throws Exception {
    LogLineFormatter.install("warn");
    Path data = Files.createTempDirectory("substrat-demo-");
    var settings = new DaemonSettings("127.0.0.1", port, data, null, 4, "warn", Set.of());
    try (var daemon = start(settings);
        var client = new DemoClient(daemon.url(), token(data))) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> tidy(daemon, data), "stop"));
      screen.line("Daemon started at " + daemon.url() + " with a temporary database.");
      if (!once) {
        screen.line("Console (this link works once): " + client.loginLink());
      }
      screen.line("Team harbor: mira is the lead, ada and ben are workers, noor is a reviewer.");
      screen.line("The office of Larch & Sons: twelve agents with channels, DMs and memory.");
      screen.line("You are the operator.");
      screen.line("");
      run(new HarborTeam(client), new OfficeTeam(client));
    }
    return 0;
  }

  private static Daemon start(DaemonSettings settings) {
    try {
      return Daemon.start(settings, System.getenv());
    } catch (RuntimeException e) {
      remove(settings.data());
      throw e;
    }
  }

  private void run(HarborTeam team, OfficeTeam office) throws InterruptedException {
    team.assemble();
    office.assemble();
    var printer = printer();
    for (int i = 0; ; i++) {
      ask(team, printer, QUESTIONS.get(i % QUESTIONS.size()));
      say(office, printer, NEWS.get(i % NEWS.size()));
      if (once) {
        return;
      }
      screen.line("(repeats in " + PAUSE.toSeconds() + " s; stop with Ctrl-C)");
      screen.line("");
      Thread.sleep(PAUSE);
    }
  }

  private void ask(HarborTeam team, EventPrinter printer, String question)
      throws InterruptedException {
    HarborTeam.QuestionResult story = team.ask(question, event -> print(printer, event));
    screen.line("");
    screen.line("you asked:  " + question);
    screen.line("the answer: " + story.answer());
    screen.line(story.summary());
    screen.line("");
  }

  private void say(OfficeTeam office, EventPrinter printer, String news)
      throws InterruptedException {
    OfficeTeam.OfficeResult day = office.post(news, event -> printOfficeEvent(printer, event));
    screen.line("");
    screen.line("you posted: " + news);
    screen.line(day.summary());
  }

  private void print(EventPrinter printer, JsonNode event) {
    // The reply itself is printed; that it ends the question is a detail.
    if (!event.path("kind").asText().equals("message_replied")) {
      screen.line(printer.line(event));
    }
  }

  /// Prints only visible actions: twelve parallel turns are too much to follow.
  private void printOfficeEvent(EventPrinter printer, JsonNode event) {
    if (VISIBLE_EVENTS.contains(event.path("kind").asText())) {
      screen.line(printer.line(event));
    }
  }

  private EventPrinter printer() {
    var printer = new EventPrinter(ZoneId.systemDefault());
    return screen.hasColours() ? printer.inColour() : printer;
  }

  private static String token(Path data) throws IOException {
    return Files.readString(data.resolve("operator.token")).strip();
  }

  private static void tidy(Daemon daemon, Path data) {
    daemon.close();
    remove(data);
  }

  private static void remove(Path data) {
    try (var files = Files.walk(data)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      System.err.println("could not remove " + data + ": " + e.getMessage());
    }
  }

  private static int report(Exception failure) {
    if (failure instanceof Fault fault) {
      System.err.println("error " + fault.code() + ": " + fault.message());
      System.err.println("hint: " + fault.hint());
      return fault.code().kind().exitCode();
    }
    failure.printStackTrace();
    return 1;
  }
}
