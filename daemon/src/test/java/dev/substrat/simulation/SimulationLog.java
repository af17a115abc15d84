package dev.substrat.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Database;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Events of a history, line by line, for failure reports.
///
/// Ids are different in every run, and only their order matters; here they are numbered by first
/// occurrence, so that the same history has the same log.
final class SimulationLog {
  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private final boolean isTold;
  private final boolean isDetailed;
  private final List<String> lines = new ArrayList<>();
  private final Map<String, String> ids = new HashMap<>();
  private long told;

  private SimulationLog(boolean isTold, boolean isDetailed) {
    this.isTold = isTold;
    this.isDetailed = isDetailed;
  }

  /// Omitted, because it is not of interest.
  static SimulationLog untold() {
    return new SimulationLog(false, false);
  }

  /// Only fields that a reader needs.
  static SimulationLog readable() {
    return new SimulationLog(true, false);
  }

  /// Every single step, to compare.
  static SimulationLog detailed() {
    return new SimulationLog(true, true);
  }

  List<String> lines() {
    return lines;
  }

  void tell(int step, String what) {
    add(step, what);
  }

  void note(int step, String what) {
    if (isDetailed) {
      add(step, what);
    }
  }

  void record(int step, SimulatedThread actor, String what) {
    if (isDetailed) {
      add(step, actor.node().owner() + ", " + actor + ": " + what);
    }
  }

  void crash(int step, SimulatedDaemon node) {
    add(step, node.owner() + " dies");
    for (SimulatedThread actor : node.actors()) {
      add(step, "    with it: " + actor + ", " + actor.where());
    }
  }

  /// Events committed since the last call.
  void tellEvents(int step, Database database) {
    if (!isTold) {
      return;
    }
    database
        .read(tx ->
            tx.list(
                """
                select event.seq, event.at, event.kind, agent.handle, case
                    when message.id is not null then json_set(event.payload, '$.text', message.text,
                      '$.messageKind', message.kind, '$.sync', json(iif(sync, 'true', 'false')))
                    when call.id is not null then json_set(event.payload, '$.tool', call.tool_name,
                      '$.arguments', json(call.tool_input), '$.ok', json('true'))
                    else event.payload end as payload
                from event_log event left join agent on agent.id = event.agent_id
                left join message on event.kind = 'message_sent'
                  and message.id = event.payload ->> 'message_id'
                left join run_message call on call.run_id = event.run_id
                  and call.id = event.payload ->> 'row'
                where event.seq > ?
                order by event.seq
                """,
                row -> {
                  told = row.number("seq");
                  String at = isDetailed ? " at " + row.number("at") : "";
                  return sentence(row.textOrNull("handle"), row.text("kind"), row.text("payload"))
                      + at;
                },
                told))
        .forEach(line -> add(step, line));
  }

  private static String sentence(@Nullable String agent, String kind, String payload) {
    JsonNode of = Json.own(payload);
    return switch (kind) {
      case "message_sent" ->
          "%s → %s: \"%s\" (%s %s%s%s%s)"
              .formatted(
                  of.path("from").asText(),
                  of.path("to").asText(),
                  of.path("text").asText(),
                  of.path("messageKind").asText(),
                  of.path("message_id").asText(),
                  of.path("sync").asBoolean() ? ", wants an answer" : "",
                  of.has("in_reply_to") ? ", to " + of.path("in_reply_to").asText() : "",
                  of.has("held") ? ", held: " + of.path("held").asText() : "");
      case "turn_started" -> "%s begins turn %d".formatted(agent, of.path("turn").asInt());
      case "turn_ended" ->
          "%s ends turn %d: %s"
              .formatted(
                  agent,
                  of.path("turn").asInt(),
                  of.path("status").asText()
                      + (of.has("stopReason") ? ", " + of.path("stopReason").asText() : ""));
      case "tool_called" ->
          "%s has called %s %s: %s"
              .formatted(
                  agent,
                  of.path("tool").asText(),
                  of.path("arguments"),
                  of.path("ok").asBoolean() ? "ok" : of.path("error").asText());
      default -> "%s: %s %s".formatted(agent, kind.replace('_', ' '), of);
    };
  }

  private void add(int step, String what) {
    if (!isTold) {
      return;
    }
    lines.add(
        "%5d  %s".formatted(step, ID.matcher(what).replaceAll(match -> number(match.group()))));
  }

  private String number(String id) {
    return ids.computeIfAbsent(id, _ -> "#" + (ids.size() + 1));
  }
}
