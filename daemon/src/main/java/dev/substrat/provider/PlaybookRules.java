package dev.substrat.provider;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.fault.Fault;
import dev.substrat.inbox.InboxEvent;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Spelling;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a playbook waits for and reads must be able to come. Only new ones are checked: one that
/// somebody has had for long goes on as it did.
final class PlaybookRules {
  private static final String EVENT = "event";

  private static final List<String> KINDS =
      Stream.of(InboxEvent.Kind.values()).map(InboxEvent.Kind::toString).toList();

  private final TreeSet<String> readable = new TreeSet<>();

  private PlaybookRules(Playbook playbook) {
    readable.add(EVENT);
    playbook.rules().stream()
        .flatMap(rule -> rule.steps().stream())
        .map(Playbook.Step::save)
        .filter(Objects::nonNull)
        .forEach(readable::add);
  }

  static void require(Playbook playbook) {
    var rules = new PlaybookRules(playbook);
    for (int i = 0; i < playbook.rules().size(); i++) {
      Playbook.Rule rule = playbook.rules().get(i);
      String place = "/provider/playbook/" + i;
      requireKind(rule.when(), place);
      for (int step = 0; step < rule.steps().size(); step++) {
        rules.require(rule.steps().get(step), place + "/do/" + step);
      }
    }
  }

  private static void requireKind(Playbook.@Nullable When when, String place) {
    String kind = when == null ? null : when.kind();
    if (kind != null && !KINDS.contains(kind.toLowerCase(Locale.ROOT))) {
      throw new Fault(
          ErrorCode.INVALID_CONFIG,
          "%s/when/kind cannot be \"%s\"".formatted(place, kind),
          Spelling.question(kind, KINDS) + "there are: " + String.join(", ", KINDS));
    }
  }

  private void require(Playbook.Step step, String place) {
    require(step.say(), place + "/say");
    require(step.fail(), place + "/fail");
    if (step.arguments() != null) {
      require(step.arguments(), place + "/with");
    }
  }

  private void require(JsonNode value, String place) {
    if (value.isTextual()) {
      require(value.asText(), place);
    }
    for (int i = 0; value.isArray() && i < value.size(); i++) {
      require(value.get(i), place + "/" + i);
    }
    value.properties().forEach(entry -> require(entry.getValue(), place + "/" + entry.getKey()));
  }

  private void require(@Nullable String text, String place) {
    if (text != null) {
      Template.PLACE.matcher(text).results().forEach(found -> require(found, place));
    }
  }

  private void require(MatchResult found, String place) {
    String name = found.group(1).split("\\.", 2)[0];
    if (!readable.contains(name)) {
      throw new Fault(
          ErrorCode.INVALID_CONFIG,
          "%s reads %s, and nothing is saved as %s".formatted(place, found.group(), name),
          Spelling.question(name, readable)
              + "it can read the event (event) and what a call saves: "
              + String.join(", ", readable));
    }
  }
}
