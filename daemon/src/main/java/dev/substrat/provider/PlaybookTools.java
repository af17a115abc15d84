package dev.substrat.provider;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.fault.Fault;
import dev.substrat.json.Json;
import dev.substrat.json.Schema;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Problem;
import dev.substrat.protocol.Spelling;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.Mind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// A playbook calls tools by name, with arguments. A tool that its agent does not have, and an
/// argument that a tool never takes, is refused when the agent is made: later it would only be a
/// line in a record that nobody looks at.
public final class PlaybookTools {
  private final Map<String, Schema> tools;

  /// `tools` are all that the agent has, with what they take.
  public PlaybookTools(Map<String, Schema> tools) {
    this.tools = Map.copyOf(tools);
  }

  /// One step that calls a tool; `place` is where it stands in the agent's configuration.
  private record Calling(String place, String tool, ObjectNode arguments) {}

  /// `others` are further tools that the agent has, of which nothing but the name is known; empty
  /// if nobody can know yet what others there are.
  public void require(AgentConfig config, Optional<? extends Collection<String>> others) {
    for (Calling calling : callings(config)) {
      Schema input = tools.get(calling.tool());
      if (input != null) {
        require(calling, input);
      } else if (others.isPresent() && !others.get().contains(calling.tool())) {
        throw unknown(calling, others.get());
      }
    }
  }

  /// If nobody can know what others there are: what is called and may be missing, in words for
  /// whoever configured it.
  public List<String> doubts(AgentConfig config, String whoKnows) {
    Predicate<Calling> isKnown = calling -> tools.containsKey(calling.tool());
    return callings(config).stream()
        .filter(isKnown.negate())
        .map(calling ->
            "%s/call: whether it has a tool %s, only %s knows%s"
                .formatted(
                    calling.place(),
                    calling.tool(),
                    whoKnows,
                    Spelling.aside(calling.tool(), tools.keySet())))
        .toList();
  }

  private static List<Calling> callings(AgentConfig config) {
    Mind mind = config.provider();
    var callings = new ArrayList<Calling>();
    if (mind != null && mind.playbook() != null) {
      List<Playbook.Rule> rules = Playbook.parse(mind.playbook()).rules();
      for (int rule = 0; rule < rules.size(); rule++) {
        List<Playbook.Step> steps = rules.get(rule).steps();
        for (int step = 0; step < steps.size(); step++) {
          String tool = steps.get(step).call();
          ObjectNode arguments = steps.get(step).arguments();
          if (tool != null) {
            String place = "/provider/playbook/%d/do/%d".formatted(rule, step);
            callings.add(new Calling(place, tool, arguments == null ? Json.object() : arguments));
          }
        }
      }
    }
    return callings;
  }

  private static void require(Calling calling, Schema input) {
    String place = calling.place() + "/with";
    try {
      input.require(calling.arguments(), Template.PLACE);
    } catch (Fault fault) {
      throw placed(place, fault, takes(calling.tool(), input));
    } catch (RuntimeException e) {
      // Some schemas prove useless only with a value that reaches the place.
      throw new Fault(
          ErrorCode.INVALID_CONFIG,
          place + " cannot be checked: " + e.getMessage(),
          "correct the inputSchema of " + calling.tool(),
          e);
    }
  }

  private static Fault placed(String place, Fault fault, String hint) {
    List<Problem.Detail> said = fault.problem().details();
    if (said == null) {
      return new Fault(
          ErrorCode.INVALID_CONFIG, place + " " + fault.message(), fault.hint(), fault);
    }
    List<Problem.Detail> details =
        said.stream().map(one -> new Problem.Detail(place + one.pointer(), one.message())).toList();
    String words =
        details.stream()
            .map(one -> one.pointer() + " " + one.message())
            .collect(Collectors.joining("; "));
    return new Fault(ErrorCode.INVALID_CONFIG, words, hint, details);
  }

  private static String takes(String tool, Schema input) {
    var names = new ArrayList<String>();
    input.json().path("properties").fieldNames().forEachRemaining(names::add);
    return names.isEmpty()
        ? tool + " takes no arguments"
        : tool + " takes " + String.join(", ", names);
  }

  private Fault unknown(Calling calling, Collection<String> others) {
    var all = new TreeSet<>(tools.keySet());
    all.addAll(others);
    List<String> near = Spelling.near(calling.tool(), all);
    String hint =
        all.isEmpty()
            ? "its toolsets have no tools"
            : near.isEmpty()
                ? "it has: " + String.join(", ", all)
                : "did you mean " + String.join(" or ", near) + "?";
    return new Fault(
        ErrorCode.INVALID_CONFIG,
        "%s/call: it has no tool %s".formatted(calling.place(), calling.tool()),
        hint);
  }
}
