package dev.substrat.examples;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.shell.Terminal;
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

/// `./substrat demo`: a daemon on a throw-away database, a scripted team at work, and somebody who
/// tells what happens.
@Command(
    name = "substrat demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = {
      "Examples:",
      "  ./substrat demo            # keeps running until Ctrl-C; open the printed address",
      "  ./substrat demo --once     # one question from asking to answer, then exits",
      ""
    },
    description = "Shows a scripted team at work: no key, no model, nothing to set up.")
public final class Demo implements Callable<Integer> {
  private static final List<String> QUESTIONS =
      List.of("Can we sail at noon?", "Can we take a passenger?", "Are we ready for the storm?");

  private static final List<String> NEWS =
      List.of(
          "The Henley order has doubled. Can we deliver by Friday?",
          "Henley wants another order, in blue.",
          "Henley paid. The next order is on its way.");

  private static final Set<String> NOTICED =
      Set.of("message_created", "reaction_added", "memory_updated", "passage_stored", "wake_held");

  private static final Duration PAUSE = Duration.ofSeconds(20);

  @Option(names = "--once", description = "Run the scenario once, print a summary, exit.")
  private boolean once;

  @Option(names = "--port", paramLabel = "N", description = "TCP port (default: any free one).")
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
        var visitor = new DemoVisitor(daemon.url(), token(data))) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> tidy(daemon, data), "stop"));
      screen.line("A daemon is up at " + daemon.url() + " with a throw-away database.");
      if (!once) {
        screen.line("Console (this link works once): " + visitor.loginLink());
      }
      screen.line("Team harbor: mira leads, ada and ben work, noor reviews.");
      screen.line(
          "The office of Larch & Sons: twelve people in channels and in private, who remember.");
      screen.line("You are the operator.");
      screen.line("");
      tell(new HarborTeam(visitor), new OfficeTeam(visitor));
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

  private void tell(HarborTeam team, OfficeTeam office) throws InterruptedException {
    team.assemble();
    office.assemble();
    var narrator = narrator();
    for (int i = 0; ; i++) {
      ask(team, narrator, QUESTIONS.get(i % QUESTIONS.size()));
      say(office, narrator, NEWS.get(i % NEWS.size()));
      if (once) {
        return;
      }
      screen.line("(again in " + PAUSE.toSeconds() + " s; Ctrl-C ends the demo)");
      screen.line("");
      Thread.sleep(PAUSE);
    }
  }

  private void ask(HarborTeam team, EventPrinter narrator, String question)
      throws InterruptedException {
    HarborTeam.Story story = team.ask(question, event -> tell(narrator, event));
    screen.line("");
    screen.line("you asked:  " + question);
    screen.line("the answer: " + story.answer());
    screen.line(story.summary());
    screen.line("");
  }

  private void say(OfficeTeam office, EventPrinter narrator, String news)
      throws InterruptedException {
    OfficeTeam.Day day = office.say(news, event -> tellOfTheOffice(narrator, event));
    screen.line("");
    screen.line("you told everybody: " + news);
    screen.line(day.summary());
  }

  private void tell(EventPrinter narrator, JsonNode event) {
    // The reply itself is told; that it settles the question is a detail.
    if (!event.path("kind").asText().equals("message_replied")) {
      screen.line(narrator.line(event));
    }
  }

  /// Twelve turns at a time are too much to follow: only what anybody there would notice.
  private void tellOfTheOffice(EventPrinter narrator, JsonNode event) {
    if (NOTICED.contains(event.path("kind").asText())) {
      screen.line(narrator.line(event));
    }
  }

  private EventPrinter narrator() {
    var narrator = new EventPrinter(ZoneId.systemDefault());
    return screen.hasColours() ? narrator.inColour() : narrator;
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
