package dev.substrat.turn;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.TurnFence;
import dev.substrat.tool.transcript.Transcript;
import java.util.function.Consumer;

/// Records calls of a provider's own tools (shell, editor), which the daemon does not execute but
/// must be able to list. Belongs to one turn.
final class ProviderOwnCalls {
  private static final int MAX_COUNT = 1_000;
  private static final int MAX_LENGTH = 4_000;

  private final Database database;
  private final Transcript transcript;
  private final ToolCaller caller;
  private int recorded;

  ProviderOwnCalls(Database database, Transcript transcript, ToolCaller caller) {
    this.database = database;
    this.transcript = transcript;
    this.caller = caller;
  }

  void started(ProviderEvent.ToolStarted call, Transcript.TranscriptPosition place) {
    recorded++;
    record(
        tx -> transcript.recordOwnCall(tx, place, call.callId(), call.tool(), input(call.input())));
  }

  void finished(ProviderEvent.ToolFinished call, Transcript.TranscriptPosition place) {
    var result = Json.object().put("error", !call.ok()).put("output", shortened(call.output()));
    record(tx -> transcript.recordOwnResult(tx, place, call.callId(), call.tool(), result));
  }

  private void record(Consumer<Tx> line) {
    if (recorded <= MAX_COUNT) {
      database.transact(tx -> {
        TurnFence.require(tx, caller);
        line.accept(tx);
        return true;
      });
    }
  }

  /// An input that is too long for the record is kept as the beginning of its text.
  private static JsonNode input(JsonNode input) {
    String text = input.isMissingNode() ? "{}" : Json.text(input);
    return text.length() <= MAX_LENGTH
        ? Json.own(text)
        : Json.object().put("beginning", shortened(text));
  }

  private static String shortened(String text) {
    return text.length() <= MAX_LENGTH
        ? text
        : text.substring(0, MAX_LENGTH)
            + "… ["
            + (text.length() - MAX_LENGTH)
            + " more characters]";
  }
}
