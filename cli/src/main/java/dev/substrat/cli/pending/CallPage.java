package dev.substrat.cli.pending;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.shell.Clock;
import dev.substrat.cli.shell.Facts;
import dev.substrat.cli.shell.Screen;
import dev.substrat.cli.wire.Json;

/// A call that waits for somebody, as people read it.
record CallPage(Screen screen) {

  void print(JsonNode call) {
    JsonNode form = call.path("form");
    new Facts()
        .with("call", call.path("callId"))
        .with("agent", call.path("agent"))
        .with("tool", call.path("tool"))
        .with("question", form.path("title").asText() + ": " + form.path("text").asText())
        .with("arguments", Json.text(call.path("args")))
        .with("answer", form.path("component").asText() + " " + Json.text(form.path("schema")))
        .with("bring it to", call.path("callbackUrl").asText(""))
        .with("space", call.path("spaceId").asText(""))
        .with("status", call.path("outcome").asText(call.path("status").asText()))
        .with("asked", Clock.time(call.path("createdAt")))
        .with("expires", Clock.time(call.path("expiresAt")))
        .with("answered by", call.path("answeredBy").asText(""))
        .with("result", call.path("result").isNull() ? "" : Json.text(call.path("result")))
        .print(screen);
  }
}
