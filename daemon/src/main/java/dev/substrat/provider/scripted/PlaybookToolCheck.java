package dev.substrat.provider.scripted;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import dev.substrat.protocol.SpellingSuggestion;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.ProviderConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Checks the tool calls of a playbook. An unknown tool is rejected when the agent is created.
/// Other problems are warnings, because some playbooks test how a call is refused.
public final class PlaybookToolCheck {
  private final Map<String, JsonSchema> tools;

  /// `tools` are the agent's tools with their input schemas.
  public PlaybookToolCheck(Map<String, JsonSchema> tools) {
    this.tools = Map.copyOf(tools);
  }

  /// A step that calls a tool; `place` is its path in the agent's configuration.
  private record CallStep(String place, String tool, ObjectNode arguments) {}

  /// Rejects unknown tools, for an agent that has no other tools.
  public void require(AgentConfig config) {
    for (CallStep calling : callings(config)) {
      if (!tools.containsKey(calling.tool())) {
        throw ErrorCode.INVALID_CONFIG.fault(missing(calling), advice(calling, List.of()));
      }
    }
  }

  /// Warnings for the author. `others` are names of further tools without known schemas; empty if
  /// only `whoKnows` can list them.
  public List<String> warnings(AgentConfig config, Optional<Set<String>> others, String whoKnows) {
    ProviderConfig settings = config.provider();
    if (settings == null || settings.playbook() == null) {
      return List.of();
    }
    var doubts = new ArrayList<>(PlaybookWarnings.warnings(Playbook.parse(settings.playbook())));
    for (CallStep calling : callings(config)) {
      JsonSchema input = tools.get(calling.tool());
      if (input != null) {
        doubts.addAll(warnings(calling, input));
      } else if (others.isEmpty()) {
        doubts.add(unsure(calling, whoKnows));
      } else if (!others.get().contains(calling.tool())) {
        doubts.add(missing(calling) + "; " + advice(calling, others.get()));
      }
    }
    return List.copyOf(doubts);
  }

  private String unsure(CallStep calling, String whoKnows) {
    return "%s/call: tool %s cannot be checked: it may come from %s%s"
        .formatted(
            calling.place(),
            calling.tool(),
            whoKnows,
            SpellingSuggestion.suggestionSuffix(calling.tool(), tools.keySet()));
  }

  private static List<CallStep> callings(AgentConfig config) {
    ProviderConfig settings = config.provider();
    var callings = new ArrayList<CallStep>();
    if (settings != null && settings.playbook() != null) {
      List<Playbook.PlaybookRule> rules = Playbook.parse(settings.playbook()).rules();
      for (int rule = 0; rule < rules.size(); rule++) {
        List<Playbook.PlaybookStep> steps = rules.get(rule).steps();
        for (int step = 0; step < steps.size(); step++) {
          String tool = steps.get(step).call();
          ObjectNode arguments = steps.get(step).arguments();
          if (tool != null) {
            String place = "/provider/playbook/%d/do/%d".formatted(rule, step);
            callings.add(new CallStep(place, tool, arguments == null ? Json.object() : arguments));
          }
        }
      }
    }
    return callings;
  }

  private static List<String> warnings(CallStep calling, JsonSchema input) {
    String place = calling.place() + "/with";
    try {
      input.require(calling.arguments(), ScriptTemplate.PLACE);
      return List.of();
    } catch (Fault fault) {
      List<Problem.ProblemDetail> details = fault.problem().details();
      return details == null
          ? List.of(place + " " + fault.message())
          : details.stream()
              .map(one ->
                  "%s%s %s; %s"
                      .formatted(place, one.pointer(), one.message(), takes(calling.tool(), input)))
              .toList();
    } catch (RuntimeException e) {
      // Some schemas turn out to be invalid only with a value at that path.
      return List.of(
          "%s cannot be checked: %s; correct the inputSchema of %s"
              .formatted(place, e.getMessage(), calling.tool()));
    }
  }

  private static String takes(String tool, JsonSchema input) {
    var names = new ArrayList<String>();
    input.json().path("properties").fieldNames().forEachRemaining(names::add);
    return names.isEmpty()
        ? tool + " takes no arguments"
        : tool + " takes " + String.join(", ", names);
  }

  private static String missing(CallStep calling) {
    return "%s/call: the agent has no tool %s".formatted(calling.place(), calling.tool());
  }

  private String advice(CallStep calling, Collection<String> others) {
    var all = new TreeSet<>(tools.keySet());
    all.addAll(others);
    List<String> near = SpellingSuggestion.near(calling.tool(), all);
    if (all.isEmpty()) {
      return "its toolsets have no tools";
    }
    return near.isEmpty()
        ? "available tools: " + String.join(", ", all)
        : "did you mean " + String.join(" or ", near) + "?";
  }

  /// Warns about event kinds and placeholders of a playbook that can never match.
  private static final class PlaybookWarnings {
    private static final String EVENT = "event";

    private static final List<String> KINDS =
        Stream.of(InboxEvent.InboxEventKind.values())
            .map(InboxEvent.InboxEventKind::toString)
            .toList();

    private final TreeSet<String> readable = new TreeSet<>();
    private final List<String> warnings = new ArrayList<>();

    private PlaybookWarnings(Playbook playbook) {
      readable.add(EVENT);
      readable.add(Playbook.SUBJECT);
      playbook.rules().stream()
          .flatMap(rule -> rule.steps().stream())
          .map(Playbook.PlaybookStep::save)
          .filter(Objects::nonNull)
          .forEach(readable::add);
    }

    static List<String> warnings(Playbook playbook) {
      var rules = new PlaybookWarnings(playbook);
      for (int i = 0; i < playbook.rules().size(); i++) {
        Playbook.PlaybookRule rule = playbook.rules().get(i);
        String place = "/provider/playbook/" + i;
        rules.lookAtKind(rule.when(), place);
        for (int step = 0; step < rule.steps().size(); step++) {
          rules.lookAt(rule.steps().get(step), place + "/do/" + step);
        }
      }
      return List.copyOf(rules.warnings);
    }

    private void lookAtKind(Playbook.@Nullable EventCondition when, String place) {
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

    private void lookAt(Playbook.PlaybookStep step, String place) {
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
}
