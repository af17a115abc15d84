package dev.substrat.server.api.agents;

import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.provider.prompt.PromptBuilder;
import java.util.List;

/// What an agent would be told, over HTTP.
public final class PromptPreviewRoutes {
  private final PromptBuilder prompts;

  public PromptPreviewRoutes(PromptBuilder prompts) {
    this.prompts = prompts;
  }

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read(
            "/api/agents/{id}/briefing",
            Scope.RUNS_READ,
            "What an agent would be told if its next turn began now; consumes nothing.",
            exchange -> HttpReply.ok(prompts.next(exchange.name("id")))));
  }
}
