package dev.substrat.server.api.memory;

import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.memory.embedding.SemanticIndex;
import dev.substrat.platform.identity.Scope;
import java.util.List;
import java.util.Map;

/// HTTP route for the state of semantic search.
public final class SearchRoutes {
  private final SemanticIndex meanings;

  public SearchRoutes(SemanticIndex meanings) {
    this.meanings = meanings;
  }

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read(
            "/api/search",
            Scope.AGENTS_READ,
            "Return whether semantic search works; loads the embedding model.",
            _ -> HttpReply.ok(state())));
  }

  private Map<String, Object> state() {
    // The state is known only after a first query.
    meanings.encodeQuery("does it work?");
    return switch (meanings.state()) {
      case SemanticIndex.ModelState.ModelDisabled _ -> Map.of("meaning", "off");
      case SemanticIndex.ModelState.ModelNotLoaded _ ->
          Map.of("meaning", "loading", "model", meanings.model());
      case SemanticIndex.ModelState.ModelReady ready ->
          Map.of(
              "meaning",
              "ready",
              "model",
              meanings.model(),
              "loadMillis",
              ready.loading().toMillis());
      case SemanticIndex.ModelState.ModelUnavailable missing ->
          Map.of("meaning", "missing", "model", meanings.model(), "reason", missing.reason());
    };
  }
}
