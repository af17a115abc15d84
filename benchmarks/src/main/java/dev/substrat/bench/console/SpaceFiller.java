package dev.substrat.bench.console;

import dev.substrat.access.person.People;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.space.Space;
import dev.substrat.space.SpaceMessages.Post;
import dev.substrat.space.Spaces;
import dev.substrat.store.Database;
import dev.substrat.store.event.EventLog;
import dev.substrat.turn.TurnSleep;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.engine.EngineDependencies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Fills spaces with messages before the daemon starts, through the engine: each message is stored
/// with its event, as by a daemon.
final class SpaceFiller {
  /// As many as wait for one commit together.
  private static final int AT_ONCE = 64;

  private static final List<String> WORDS =
      List.of(
          "The *crane* at pier %d is free again, who wants it?",
          "Forty crates for pier %d are lashed down and counted twice; the papers are with @ben.",
          "Pier %d: done.",
          "I cannot read the stamp on letter %d, so it stays here until somebody has called the"
              + " office. They open at nine, and it is not urgent.",
          "`manifest-%d.csv` has what is aboard. Tell me if a line is wrong.");

  private final Spaces spaces;
  private final List<Principal> people = new ArrayList<>();

  private SpaceFiller(Engine engine, EventLog events, Database database, InstantSource clock) {
    this.spaces = engine.spaces();
    var known = new People(database, events, engine.credentials(), clock);
    for (String name : List.of("ana", "ben", "cleo")) {
      known.create(name, null);
      people.add(new Principal.Person(name));
    }
  }

  /// Fills the data directory of a daemon that is yet to start: one space for each of `sizes`,
  /// named `room-SIZE`.
  static void fill(Path data, List<Integer> sizes)
      throws IOException, InterruptedException, ExecutionException {
    Files.createDirectories(data);
    InstantSource clock = InstantSource.system();
    try (var database = Database.embedded(data.resolve("substrat.db"), clock);
        var events = new EventLog(database, clock)) {
      var engine =
          new Engine(
              new EngineDependencies(
                  database, events, Telemetry.withoutExport(), clock, TurnSleep.REAL));
      var rooms = new SpaceFiller(engine, events, database, clock);
      for (int size : sizes) {
        rooms.make(size);
      }
    }
  }

  static String name(int size) {
    return "room-" + size;
  }

  private void make(int size) throws InterruptedException, ExecutionException {
    var request =
        new Spaces.SpaceDefinition(
            name(size),
            "Room of " + size,
            Space.Kind.PUBLIC,
            "Everything about the harbor",
            Space.WakePolicy.NONE,
            null,
            people.stream().map(Principal::key).toList());
    spaces.create(new Principal.Operator(), request);
    try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
      var said = new ArrayList<Future<?>>();
      for (int i = 0; i < size; i++) {
        int number = i;
        said.add(threads.submit(() -> say(size, number)));
      }
      // A rejected message fails: otherwise a space would have fewer messages than its name says.
      for (Future<?> one : said) {
        one.get();
      }
    }
  }

  private void say(int size, int number) {
    String text = WORDS.get(number % WORDS.size()).formatted(number);
    Principal author = people.get(number / 2 % people.size());
    spaces.messages().post(author, new Post(name(size), text), null);
  }
}
