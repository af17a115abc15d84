package dev.substrat.turn.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.Provider.Outcome;

/// Next action of a provider: it calls a tool, ends the turn, or does not end.
sealed interface ProviderMove {

  ObjectNode json();

  /// In words, on one line.
  String describe();

  /// A call of a tool.
  record Call(String tool, ObjectNode arguments) implements ProviderMove {
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

  /// An end; `text` is the last thing it said.
  record Done(String text) implements ProviderMove {
    @Override
    public ObjectNode json() {
      return Json.object().put("done", text);
    }

    @Override
    public String describe() {
      return text.isBlank() ? "ends without text" : "ends with " + Json.text(text);
    }
  }

  /// An end that was none.
  record Failed(String reason) implements ProviderMove {
    @Override
    public ObjectNode json() {
      return Json.object().put("failed", reason);
    }

    @Override
    public String describe() {
      return "fails: " + reason;
    }
  }

  /// No end at all, within the time a turn may take.
  record TooLong() implements ProviderMove {
    @Override
    public ObjectNode json() {
      return Json.object().put("endless", true);
    }

    @Override
    public String describe() {
      return "does not end in time";
    }
  }

  static ProviderMove from(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Finished finished -> new Done(finished.text());
      case Outcome.Failed failed -> new Failed(failed.reason());
      case Outcome.Postponed later -> new Failed(later.reason());
      case Outcome.Unrecoverable hopeless -> new Failed(hopeless.reason());
      case Outcome.Refused refused -> new Failed(refused.words());
      case Outcome.Stopped _ -> new TooLong();
    };
  }
}
