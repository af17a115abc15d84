package dev.substrat.cli.connect;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.wire.Daemon;
import dev.substrat.cli.wire.Json;
import org.jspecify.annotations.Nullable;

/// Tokens for clients that come over HTTP.
record Tokens(Daemon daemon) {

  String make(Principal principal, Client client) {
    var body = Json.object().put("label", client.title());
    String target =
        switch (principal) {
          case Principal.OfAgent agent -> Daemon.path("/api/agents/", agent.id()) + "/tokens";
          case Principal.Zoo _ -> "/api/tokens";
        };
    if (principal instanceof Principal.Zoo) {
      body.put("zoo", true);
    }
    if (!standard(principal).isEmpty()) {
      body.put("defaultAgent", standard(principal));
    }
    return daemon.post(target, body).path("token").asText();
  }

  private static String standard(Principal principal) {
    return principal instanceof Principal.Zoo(var agent) && agent != null ? agent.id() : "";
  }

  void revoke(String token) {
    daemon.delete(Daemon.path("/api/tokens/", Tie.tokenId(token)));
  }

  /// Whether a token that stands in a file still lets this principal in.
  boolean isGood(String token, Principal principal) {
    String id = Tie.tokenId(token);
    @Nullable String after = null;
    do {
      JsonNode page = daemon.read(Daemon.query("/api/tokens", "after", after));
      for (JsonNode one : page.path("tokens")) {
        if (one.path("id").asText().equals(id)) {
          return one.path("principal").asText().equals(principal.listed())
              && one.path("defaultAgent").asText("").equals(standard(principal))
              && !one.hasNonNull("revokedAt")
              && !one.hasNonNull("expiresAt");
        }
      }
      after = page.path("next").textValue();
    } while (after != null);
    return false;
  }
}
