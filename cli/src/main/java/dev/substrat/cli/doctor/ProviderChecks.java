package dev.substrat.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.protocol.Fault;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Checks of the providers, as the daemon reports them: it has to start them.
final class ProviderChecks {
  private ProviderChecks() {}

  /// Empty if no daemon runs, or an older one.
  static Optional<List<CheckResult>> of(Path data) {
    JsonNode providers;
    try {
      providers = DaemonClient.in(data).read("/api/providers").path("providers");
    } catch (Fault _) {
      return Optional.empty();
    }
    var findings = new ArrayList<CheckResult>();
    providers.forEach(provider -> findings.add(finding(provider)));
    return Optional.of(findings);
  }

  private static CheckResult finding(JsonNode provider) {
    String name = provider.path("name").asText();
    String detail = provider.path("detail").asText();
    String hint = provider.path("hint").asText("");
    String state = provider.path("state").asText();
    if (state.equals("ready")) {
      return CheckResult.ok(
          name, provider.has("version") ? provider.path("version").asText() : detail);
    }
    // If only a login is missing, the detail names the agents without one.
    return state.equals("needs_login") && !provider.path("withoutLogin").isEmpty()
        ? CheckResult.warn(name, detail, hint)
        : missing(provider, name, detail, hint);
  }

  /// A warning if agents need the provider, otherwise optional.
  private static CheckResult missing(JsonNode provider, String name, String detail, String hint) {
    String needy = handles(provider.path("agents"));
    String others = handles(provider.path("agentsWithOwn"));
    if (!needy.isEmpty()) {
      return CheckResult.warn(name, detail + "; agents that need it: " + needy, hint);
    }
    return others.isEmpty()
        ? new CheckResult(
            CheckResult.State.OPTIONAL,
            name,
            detail,
            hint.isEmpty() ? "install it for agents that use it" : hint)
        : CheckResult.ok(name, "not here, but agents were given their own: " + others);
  }

  private static String handles(JsonNode agents) {
    return agents.valueStream().map(JsonNode::asText).collect(Collectors.joining(", "));
  }
}
