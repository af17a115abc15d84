package dev.substrat.cli.connect;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import org.jspecify.annotations.Nullable;

/// Creates, checks and revokes tokens for HTTP clients.
record ClientTokens(DaemonClient daemon) {

  String create(ConnectPrincipal principal, ClientKind client) {
    var body = JsonTree.object().put("label", client.title());
    String target =
        switch (principal) {
          case ConnectPrincipal.OfAgent agent ->
              DaemonClient.path("/api/agents/", agent.id()) + "/tokens";
          case ConnectPrincipal.Zoo _ -> "/api/tokens";
        };
    if (principal instanceof ConnectPrincipal.Zoo) {
      body.put("zoo", true);
    }
    if (!standard(principal).isEmpty()) {
      body.put("defaultAgent", standard(principal));
    }
    return daemon.post(target, body).path("token").asText();
  }

  private static String standard(ConnectPrincipal principal) {
    return principal instanceof ConnectPrincipal.Zoo(var agent) && agent != null ? agent.id() : "";
  }

  void revoke(String token) {
    daemon.delete(DaemonClient.path("/api/tokens/", ClientEntry.tokenId(token)));
  }

  /// True if a token from a file is still valid for this principal.
  boolean isValid(String token, ConnectPrincipal principal) {
    String id = ClientEntry.tokenId(token);
    @Nullable String after = null;
    do {
      JsonNode page = daemon.read(DaemonClient.query("/api/tokens", "after", after));
      for (JsonNode one : page.path("tokens")) {
        if (one.path("id").asText().equals(id)) {
          return one.path("principal").asText().equals(principal.tokenPrincipal())
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
