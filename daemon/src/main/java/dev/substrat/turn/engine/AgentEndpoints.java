package dev.substrat.turn.engine;

import dev.substrat.provider.ExternalProvider;
import dev.substrat.provider.Provider;
import dev.substrat.provider.Providers;
import dev.substrat.provider.acp.AcpProvider;
import dev.substrat.provider.agentcli.CliHost;
import dev.substrat.provider.agentcli.CliProvider;
import dev.substrat.provider.agentcli.custom.CustomCli;
import dev.substrat.provider.agentcli.known.KnownClis;
import dev.substrat.provider.llm.LlmProvider;
import dev.substrat.provider.scripted.ScriptedProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// How provider programs reach an agent's tools: URL of the daemon's MCP server, and the command
/// for the same over stdio. Both may be missing.
public record AgentEndpoints(Supplier<Optional<String>> mcp, List<String> bridge) {
  static final AgentEndpoints NONE = new AgentEndpoints(Optional::empty, List.of());

  public AgentEndpoints {
    bridge = List.copyOf(bridge);
  }

  /// Endpoints of a daemon; the environment names the command of the bridge.
  public static AgentEndpoints of(Supplier<String> mcp, Map<String, String> environment) {
    String script = environment.getOrDefault("SUBSTRAT_COMMAND", "");
    return new AgentEndpoints(
        () -> Optional.of(mcp.get()), script.isBlank() ? List.of() : List.of(script, "mcp"));
  }

  /// All providers that these endpoints allow.
  Providers providers(EngineDependencies dependencies) {
    var machine =
        new CliHost(
            dependencies.outside().hidden(),
            dependencies.outside().environment(),
            dependencies.workspaces(),
            mcp,
            bridge);
    var all = new ArrayList<Provider>();
    all.add(new ScriptedProvider(mcp, dependencies.workspaces()));
    all.add(new ExternalProvider());
    all.addAll(
        LlmProvider.all(dependencies.outside().outgoing(), dependencies.outside().environment()));
    KnownClis.all().forEach(cli -> all.add(CliProvider.of(cli, machine)));
    all.add(CliProvider.described(CustomCli.NAME, CustomCli.CAPABILITIES, CustomCli::of, machine));
    all.add(new AcpProvider(machine, dependencies.clock()));
    return new Providers(all);
  }
}
