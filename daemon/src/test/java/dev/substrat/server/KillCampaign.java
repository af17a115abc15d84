package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.store.Database;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/// Runs one daemon after another on the same database and kills each.
final class KillCampaign implements AutoCloseable {
  /// A kill happens within one or two waves; a longer run is an error.
  private static final Duration LONGEST_LIFE = Duration.ofSeconds(5);

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final TestDatabase place;
  private final JvmClassCache jvm;
  private final Random random;
  private final TeamLoad commotion;
  private final DatabaseAuditor auditor;
  private final List<String> history = new ArrayList<>();
  private final long seed;

  KillCampaign(TestDatabase place, JvmClassCache jvm, long seed) {
    this.place = place;
    this.jvm = jvm;
    this.seed = seed;
    this.random = new Random(seed);
    this.commotion = new TeamLoad(random);
    this.auditor = new DatabaseAuditor(commotion);
  }

  /// A short run that is killed, so that there is something to recover, and a long one without a
  /// kill in which all agents become idle. Returns the observed steps with their counts.
  Map<String, Integer> rehearse() throws Exception {
    Files.writeString(place.directory().resolve("config.yaml"), "leaseSeconds: 1\nslots: 8\n");
    Path steps = place.directory().resolve("steps.json");
    try (var daemon = launch(jvm.plain())) {
      try (var client = daemon.client()) {
        commotion.createTeam(client);
      }
      commotion.rage(daemon, 1);
    }
    var options = new ArrayList<>(jvm.training());
    options.add("-D" + SelfKillingDaemon.STEPS + "=" + steps);
    try (var daemon = launch(options)) {
      commotion.rage(daemon, 2);
      comeToRest(daemon);
      // By now the guards hold something that can be released.
      commotion.rage(daemon, 1);
      comeToRest(daemon);
      daemon.terminate();
      daemon.exitCode();
    }
    var seen = new TreeMap<String, Integer>();
    JsonNode file = DaemonClient.JSON.readTree(steps.toFile());
    file.properties().forEach(entry -> seen.put(entry.getKey(), entry.getValue().asInt()));
    return seen;
  }

  /// One life, ended by `death` or, without one, from outside at a random moment. False if the step
  /// was not reached and death had to be helped.
  boolean kill(Optional<KillPoint> death) throws Exception {
    history.add(death.map(KillPoint::toString).orElse("at a random moment"));
    // As documented: to get another operator token, delete the file and restart.
    Files.deleteIfExists(place.directory().resolve("operator.token"));
    var options = new ArrayList<>(jvm.warm());
    death.ifPresent(it -> options.add("-D" + SelfKillingDaemon.DEATH + "=" + it.order()));
    boolean came;
    try (var daemon = launch(options)) {
      Thread end = Thread.ofVirtual().unstarted(() -> killAtRandom(daemon));
      if (daemon.firstLine().startsWith("substrat ready")) {
        if (death.isEmpty()) {
          end.start();
        }
        commotion.rageUntil(daemon, LONGEST_LIFE);
      }
      // Its output is read shortly before the process exits.
      came = death.isEmpty() || daemon.isDeadWithin(Duration.ofMillis(200));
      daemon.kill();
      end.join();
    }
    require(auditor::ofTheDead);
    return came;
  }

  private void killAtRandom(RunningDaemon daemon) {
    try {
      daemon.isDeadWithin(Duration.ofMillis(random.nextInt(1_200)));
      daemon.kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// A last run in which all open work is finished.
  void finish() throws Exception {
    try (var daemon = launch(jvm.warm());
        var client = daemon.client()) {
      comeToRest(daemon);
      for (String token : commotion.ledger().tokens()) {
        try (var holder = new DaemonClient(daemon.url(), token)) {
          assertThat(
                  holder.post("/mcp", Map.of("jsonrpc", "2.0", "id", 1, "method", "ping")).status())
              .isEqualTo(200);
        }
      }
      assertThat(client.get("/healthz").status()).isEqualTo(200);
    }
  }

  private void comeToRest(RunningDaemon daemon) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    Database database = place.open();
    try {
      while (!auditor.unrest(database).isEmpty()) {
        if (System.nanoTime() > end) {
          throw report(database, auditor.unrest(database), "no rest; log:\n" + daemon.stderr());
        }
        letTimePass(database);
        commotion.tend(daemon);
        daemon.isDeadWithin(Duration.ofMillis(50));
      }
    } finally {
      database.close();
    }
    require(auditor::atRest);
  }

  /// The test does not wait 30 minutes for olaf, or for tor's next attempt.
  static void letTimePass(Database database) {
    database.transact(tx -> {
      tx.update("update inbox_event set not_before = 0 where not_before > 0");
      return tx.update(
          """
          update pending_reply set deadline = 0
          where message_id in (select id from message where text like 'never %')
          """);
    });
  }

  private interface Audit {
    List<DatabaseAuditor.Finding> of(Database database);
  }

  private void require(Audit audit) {
    Database database = place.open();
    try {
      List<DatabaseAuditor.Finding> findings = audit.of(database);
      if (!findings.isEmpty()) {
        throw report(database, findings, "");
      }
      letTimePass(database);
    } finally {
      database.close();
    }
  }

  private AssertionError report(
      Database database, List<DatabaseAuditor.Finding> findings, String more) {
    return new AssertionError(
        "%s, seed %d, after %d kills; the last ones:\n  %s\n%s\n%s"
            .formatted(
                place,
                seed,
                history.size(),
                String.join(
                    "\n  ", history.subList(Math.max(0, history.size() - 10), history.size())),
                DatabaseAuditor.tell(database, findings),
                more));
  }

  private RunningDaemon launch(List<String> options) throws IOException {
    var jvm = new RunningDaemon.Jvm(options, SelfKillingDaemon.class);
    return place.url().isPresent()
        ? RunningDaemon.launch(jvm, place.directory(), "--port", "0", "--db", place.url().get())
        : RunningDaemon.launch(jvm, place.directory(), "--port", "0");
  }

  @Override
  public void close() throws IOException {
    place.close();
  }
}
