package dev.substrat.server.api.agents;

import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.provider.prompt.PromptBuilder;
import java.util.List;

/// HTTP route of the prompt preview.
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
            "Return the prompt of an agent's next turn, without starting it.",
            exchange -> HttpReply.ok(prompts.next(exchange.name("id")))));
  }
}
