package dev.substrat.provider.scripted;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.protocol.SpellingSuggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Warns about event kinds and placeholders of a playbook that can never match.
final class PlaybookWarnings {
  private static final String EVENT = "event";

  private static final List<String> KINDS =
      Stream.of(InboxEvent.Kind.values()).map(InboxEvent.Kind::toString).toList();

  private final TreeSet<String> readable = new TreeSet<>();
  private final List<String> warnings = new ArrayList<>();

  private PlaybookWarnings(Playbook playbook) {
    readable.add(EVENT);
    readable.add(Playbook.SUBJECT);
    playbook.rules().stream()
        .flatMap(rule -> rule.steps().stream())
        .map(Playbook.Step::save)
        .filter(Objects::nonNull)
        .forEach(readable::add);
  }

  static List<String> warnings(Playbook playbook) {
    var rules = new PlaybookWarnings(playbook);
    for (int i = 0; i < playbook.rules().size(); i++) {
      Playbook.Rule rule = playbook.rules().get(i);
      String place = "/provider/playbook/" + i;
      rules.lookAtKind(rule.when(), place);
      for (int step = 0; step < rule.steps().size(); step++) {
        rules.lookAt(rule.steps().get(step), place + "/do/" + step);
      }
    }
    return List.copyOf(rules.warnings);
  }

  private void lookAtKind(Playbook.@Nullable When when, String place) {
    String kind = when == null ? null : when.kind();
    if (kind != null && !KINDS.contains(kind.toLowerCase(Locale.ROOT))) {
      warnings.add(
          "%s/when/kind has the unknown value \"%s\"; %suse one of: %s"
              .formatted(
                  place,
                  kind,
                  SpellingSuggestion.suggestion(kind, KINDS),
                  String.join(", ", KINDS)));
    }
  }

  private void lookAt(Playbook.Step step, String place) {
    lookAt(step.say(), place + "/say");
    lookAt(step.fail(), place + "/fail");
    if (step.arguments() != null) {
      lookAt(step.arguments(), place + "/with");
    }
  }

  private void lookAt(JsonNode value, String place) {
    if (value.isTextual()) {
      lookAt(value.asText(), place);
    }
    for (int i = 0; value.isArray() && i < value.size(); i++) {
      lookAt(value.get(i), place + "/" + i);
    }
    value.properties().forEach(entry -> lookAt(entry.getValue(), place + "/" + entry.getKey()));
  }

  private void lookAt(@Nullable String text, String place) {
    if (text != null) {
      ScriptTemplate.PLACE.matcher(text).results().forEach(found -> lookAt(found, place));
    }
  }

  private void lookAt(MatchResult found, String place) {
    String name = found.group(1).split("\\.", 2)[0];
    if (!readable.contains(name)) {
      warnings.add(
          "%s reads %s, but no step saves %s; %savailable: %s"
              .formatted(
                  place,
                  found.group(),
                  name,
                  SpellingSuggestion.suggestion(name, readable),
                  String.join(", ", readable)));
    }
  }
}
