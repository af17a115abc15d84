package dev.substrat.teamtest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.messaging.message.InboxEventFormatter;
import dev.substrat.messaging.message.Message;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.team.Agent;
import dev.substrat.tool.transcript.Transcript;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.run.Run;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads messages and runs from the daemon as the records of the test API.
final class RecordReader {
  private static final int ALL = 100_000;

  private final Engine engine;

  /// Handles by principal. Handles never change.
  private final Map<String, String> handles = new HashMap<>();

  RecordReader(Engine engine) {
    this.engine = engine;
  }

  /// All messages in the order in which they were sent.
  List<SentMessage> messages() {
    return engine.messages().all("", ALL).stream().map(this::message).toList();
  }

  SentMessage message(MessageId id) {
    return message(engine.messages().require(id));
  }

  SentMessage message(Message message) {
    return new SentMessage(
        message.id().value(),
        message.kind().toString(),
        handle(message.sender()),
        handle(message.recipient()),
        message.text(),
        message.sync(),
        message.inReplyTo() == null ? null : message.inReplyTo().value(),
        message.status().toString(),
        message.heldReason() == null ? message.deadReason() : message.heldReason());
  }

  /// The handle of an agent, also of a terminated one; other principals keep their key.
  String handle(String principal) {
    return handles.computeIfAbsent(
        principal, key -> engine.agents().find(key).map(Agent::handle).orElse(key));
  }

  /// The turns of one agent or of all, oldest first.
  List<RecordedTurn> turns(@Nullable AgentId agent) {
    return engine.runs().newest(agent, ALL).reversed().stream().map(this::turn).toList();
  }

  RecordedTurn turn(Run run) {
    return new RecordedTurn(
        run.id(),
        run.agent(),
        run.turn(),
        run.status(),
        run.stopReason(),
        run.response() == null ? "" : run.response(),
        engine.runs().given(new RunId(run.id())).stream()
            .filter(given -> given.shownAt() != null)
            .map(RecordReader::shown)
            .toList(),
        calls(run));
  }

  private static RecordedTurn.ShownEvent shown(RunInputEvents.RecordedEvent given) {
    return new RecordedTurn.ShownEvent(
        given.kind(),
        given.payload().path("from").asText(),
        InboxEventFormatter.text(given.event()));
  }

  private List<RecordedCall> calls(Run run) {
    List<Transcript.TranscriptLine> lines = lines(run.id());
    Map<String, JsonNode> results = new HashMap<>();
    for (Transcript.TranscriptLine line : lines) {
      if (line.type().equals(Transcript.RETURN) && line.toolCallId() != null) {
        results.put(line.toolCallId(), Json.own(line.content()));
      }
    }
    return lines.stream()
        .filter(line -> line.type().equals(Transcript.CALL))
        .map(line ->
            new RecordedCall(
                run.agent(),
                String.valueOf(line.toolName()),
                line.toolInput() == null ? Json.object() : line.toolInput(),
                results.getOrDefault(String.valueOf(line.toolCallId()), Json.object())))
        .toList();
  }

  List<Transcript.TranscriptLine> lines(String run) {
    return engine.transcript().of(new RunId(run), "", ALL);
  }
}
