package dev.substrat.mcp.spi;

import dev.substrat.platform.identity.Principal;
import org.jspecify.annotations.Nullable;

/// Provides the catalog of a principal.
public interface McpCatalogSource {
  /// The catalog of `principal`, which made a request: that confirms what it was given before.
  McpCatalog catalogOf(Principal principal, @Nullable String idempotencyKey);

  /// Rejects a client that claims a principal (`agent/NAME` or `zoo`) other than that of its
  /// credential.
  void require(Principal principal, String claimed);

  ChangeWatch watch(Principal principal);

  /// Instructions for the model of a principal.
  String instructions(Principal principal);
}
