package dev.substrat.mcp.spi;

import dev.substrat.platform.identity.Principal;
import org.jspecify.annotations.Nullable;

/// Provides the catalog of a principal.
public interface McpCatalogSource {
  /// What `principal` finds, now that it has come with a request of its own. Who asks for something
  /// has read what it was given before.
  McpCatalog offer(Principal principal, @Nullable String idempotencyKey);

  /// Rejects a client that claims a principal (`agent/NAME` or `zoo`) other than that of its
  /// credential.
  void require(Principal principal, String claimed);

  ChangeWatch watch(Principal principal);

  /// What the model of a principal should know before it uses any of this.
  String instructions(Principal principal);
}
