package dev.substrat.turn.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.Provider.TurnOutcome;

/// Next action of a provider: it calls a tool, ends the turn, or does not end.
sealed interface ProviderAction {

  ObjectNode json();

  /// Description on one line.
  String describe();

  /// A call of a tool.
  record ToolCallAction(String tool, ObjectNode arguments) implements ProviderAction {
    @Override
    public ObjectNode json() {
      var json = Json.object().put("call", tool);
      json.set("arguments", arguments);
      return json;
    }

    @Override
    public String describe() {
      return "calls " + tool + " " + Json.text(arguments);
    }
  }

  /// The end of the turn; `text` is the final text.
  record TurnEndAction(String text) implements ProviderAction {
    @Override
    public ObjectNode json() {
      return Json.object().put("done", text);
    }

    @Override
    public String describe() {
      return text.isBlank() ? "ends without text" : "ends with " + Json.text(text);
    }
  }

  /// A failed turn.
  record TurnFailure(String reason) implements ProviderAction {
    @Override
    public ObjectNode json() {
      return Json.object().put("failed", reason);
    }

    @Override
    public String describe() {
      return "fails: " + reason;
    }
  }

  /// The turn exceeded its time limit.
  record TimeLimitExceeded() implements ProviderAction {
    @Override
    public ObjectNode json() {
      return Json.object().put("endless", true);
    }

    @Override
    public String describe() {
      return "does not end in time";
    }
  }

  static ProviderAction from(TurnOutcome outcome) {
    return switch (outcome) {
      case TurnOutcome.TurnFinished finished -> new TurnEndAction(finished.text());
      case TurnOutcome.TurnFailed failed -> new TurnFailure(failed.reason());
      case TurnOutcome.TurnPostponed later -> new TurnFailure(later.reason());
      case TurnOutcome.UnrecoverableFailure hopeless -> new TurnFailure(hopeless.reason());
      case TurnOutcome.LimitReached refused -> new TurnFailure(refused.words());
      case TurnOutcome.TurnInterrupted _ -> new TimeLimitExceeded();
    };
  }
}
