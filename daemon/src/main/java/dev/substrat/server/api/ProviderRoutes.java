package dev.substrat.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.provider.Provider;
import dev.substrat.provider.ProviderCapabilities;
import dev.substrat.provider.ProviderProbe;
import dev.substrat.provider.Providers;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.team.ProviderConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// HTTP routes of providers.
public final class ProviderRoutes {
  private static final String LOGIN =
      "set apiKey or env, or log in in their homes: see docs/providers/agent-clis.md";

  private final Database database;
  private final Providers providers;

  public ProviderRoutes(Database database, Providers providers) {
    this.database = database;
    this.providers = providers;
  }

  public HttpRoute route() {
    return HttpRoute.read(
        "/api/providers",
        Scope.AGENTS_READ,
        "List providers and whether each is available on this machine; starts "
            + "programs to read their versions.",
        this::list);
  }

  /// A provider. `mcp` lists the transports by which it can reach tools; empty if it needs none.
  /// `withoutLogin` are agents with neither a key nor a login. `agents` use the provider as
  /// installed here; `agentsWithOwn` configure their own program, key or base URL.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ProviderView(
      String name,
      String state,
      @Nullable String version,
      String detail,
      @Nullable String hint,
      boolean ownFiles,
      boolean resumes,
      List<String> mcp,
      List<String> withoutLogin,
      List<String> agents,
      List<String> agentsWithOwn) {

    static ProviderView of(Provider provider, List<Agent> all) {
      List<String> without = all.stream().filter(provider::lacksLogin).map(Agent::handle).toList();
      Map<Boolean, List<String>> own =
          all.stream()
              .collect(
                  Collectors.partitioningBy(
                      agent -> bringsOwn(provider, agent),
                      Collectors.mapping(Agent::handle, Collectors.toList())));
      List<String> agents = own.getOrDefault(false, List.of());
      ProviderProbe probe = judged(provider.probe(), agents, without);
      ProviderCapabilities can = provider.capabilities();
      var transports = new ArrayList<String>();
      if (can.mcpHttp()) {
        transports.add("http");
      }
      if (can.mcpStdio()) {
        transports.add("stdio");
      }
      return new ProviderView(
          provider.name(),
          probe.state().name().toLowerCase(Locale.ROOT),
          probe.version(),
          probe.detail(),
          probe.hint(),
          can.nativeFiles(),
          can.resume(),
          transports,
          without,
          agents,
          own.getOrDefault(true, List.of()));
    }

    private static boolean bringsOwn(Provider provider, Agent agent) {
      ProviderConfig settings = agent.config().provider();
      return settings != null && provider.hasOwnEndpoint(settings);
    }

    /// An agent with its own program may still lack a login.
    private static ProviderProbe judged(
        ProviderProbe probe, List<String> agents, List<String> without) {
      boolean isThere = probe.state() == ProviderProbe.ProviderState.READY || agents.isEmpty();
      return without.isEmpty() || !isThere
          ? probe
          : new ProviderProbe(
              ProviderProbe.ProviderState.NEEDS_LOGIN,
              probe.version(),
              "no API key or login: " + String.join(", ", without),
              LOGIN);
    }
  }

  /// In parallel, because each program may take seconds to print its version.
  private HttpReply list(HttpExchange exchange) {
    List<Agent> agents = database.read(AgentTree::list);
    var views = new ArrayList<ProviderView>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<ProviderView>> asked =
          providers.all().stream()
              .map(provider -> threads.submit(() -> view(provider, agents)))
              .toList();
      for (Future<ProviderView> one : asked) {
        views.add(one.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot probe a provider", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return HttpReply.ok(Map.of("providers", views));
  }

  private static ProviderView view(Provider provider, List<Agent> agents) {
    return ProviderView.of(
        provider, agents.stream().filter(agent -> usesProvider(agent, provider.name())).toList());
  }

  private static boolean usesProvider(Agent agent, String provider) {
    ProviderConfig settings = agent.config().provider();
    return settings != null && settings.name().equals(provider);
  }
}
