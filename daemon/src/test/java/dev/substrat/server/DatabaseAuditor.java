package dev.substrat.server;

import dev.substrat.server.DeliveryInvariants.DeliveryInvariant;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Compares acknowledged work with the contents of the database.
final class DatabaseAuditor {
  private static final int STORIES = 3;

  private final TeamLoad commotion;

  DatabaseAuditor(TeamLoad commotion) {
    this.commotion = commotion;
  }

  /// One broken promise.
  record Finding(String text, @Nullable String message) {}

  /// Violations in the database of a dead daemon.
  List<Finding> ofTheDead(Database database) {
    return database.read(tx -> {
      var findings = broken(tx, DeliveryInvariants.ALWAYS);
      findings.addAll(lost(tx));
      return findings;
    });
  }

  List<Finding> atRest(Database database) {
    var findings = new ArrayList<>(ofTheDead(database));
    findings.addAll(database.read(tx -> broken(tx, DeliveryInvariants.AT_REST)));
    commotion
        .eva()
        .shownTwice()
        .forEach(text -> findings.add(new Finding("shown twice: " + text, null)));
    return findings;
  }

  /// Work that is still open.
  List<Finding> unrest(Database database) {
    return database.read(tx -> broken(tx, DeliveryInvariants.REST));
  }

  private List<Finding> lost(Tx tx) {
    Map<String, String> stored = new HashMap<>();
    tx.list(
            "select id, text from message where sender = 'operator'",
            row -> Map.entry(row.text("id"), row.text("text")))
        .forEach(entry -> stored.put(entry.getKey(), entry.getValue()));
    var findings = new ArrayList<Finding>();
    commotion
        .ledger()
        .acknowledged()
        .forEach((text, id) -> {
          if (!text.equals(stored.get(id))) {
            findings.add(new Finding("acknowledged and lost: " + text, id));
          }
        });
    return findings;
  }

  static List<Finding> broken(Tx tx, List<DeliveryInvariant> promises) {
    var findings = new ArrayList<Finding>();
    for (DeliveryInvariant promise : promises) {
      findings.addAll(
          tx.list(
              promise.query(),
              row ->
                  new Finding(
                      promise.brokenAs() + ": " + row.text("what"), row.textOrNull("message_id"))));
    }
    return findings;
  }

  /// All findings, and the stories behind the first.
  static String tell(Database database, List<Finding> findings) {
    String list =
        findings.stream().map(Finding::text).limit(60).collect(Collectors.joining("\n  "));
    String stories =
        findings.stream()
            .map(Finding::message)
            .filter(Objects::nonNull)
            .limit(STORIES)
            .map(message -> database.read(tx -> MessageReport.of(tx, message)))
            .collect(Collectors.joining("\n"));
    return findings.size() + " broken promises\n  " + list + "\n" + stories;
  }
}
