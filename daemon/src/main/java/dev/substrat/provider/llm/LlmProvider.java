package dev.substrat.provider.llm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.http.client.GuardedHttpClient;
import dev.substrat.http.client.OutgoingFailure;
import dev.substrat.http.client.OutgoingRequest;
import dev.substrat.http.client.OutgoingResponse;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.provider.Provider;
import dev.substrat.provider.ProviderCapabilities;
import dev.substrat.provider.ProviderCapabilities.EventInjection;
import dev.substrat.provider.ProviderCapabilities.SystemPromptMethod;
import dev.substrat.provider.ProviderProbe;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.llm.ModelFailure.FailureKind;
import dev.substrat.provider.llm.wire.LlmWire;
import dev.substrat.team.Agent;
import dev.substrat.team.ProviderConfig;
import dev.substrat.team.toolconfig.AllowedEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Provider that runs turns with a model API.
///
/// Addresses come from the operator's configuration, so any address may be called, also one on this
/// machine such as Ollama's. Agents cannot choose one.
public final class LlmProvider implements Provider {
  private static final Duration LIST_TIMEOUT = Duration.ofSeconds(5);
  private static final long MAX_LISTING_BYTES = 4L * 1024 * 1024;

  /// OpenAI rejects requests with more tools, and other APIs have similar limits.
  private static final int MAX_TOOLS = 128;

  private final LlmVendor maker;
  private final GuardedHttpClient outgoing;
  private final ApiKeys keys;

  private LlmProvider(LlmVendor maker, GuardedHttpClient outgoing, AllowedEnvironment environment) {
    this.maker = maker;
    this.outgoing = outgoing.withoutAddressCheck();
    this.keys = new ApiKeys(maker, environment);
  }

  /// One provider for each API.
  public static List<Provider> all(GuardedHttpClient outgoing, AllowedEnvironment environment) {
    return Stream.of(LlmVendor.values())
        .<Provider>map(maker -> new LlmProvider(maker, outgoing, environment))
        .toList();
  }

  @Override
  public String name() {
    return maker.id();
  }

  @Override
  public ProviderConfig prepare(ProviderConfig settings) {
    LlmConfigRules.require(maker, settings);
    if (settings.apiKey() != null) {
      keys.require(settings.apiKey());
    }
    return settings;
  }

  @Override
  public ProviderCapabilities capabilities() {
    return new ProviderCapabilities(
        false,
        false,
        false,
        false,
        true,
        true,
        true,
        maker != LlmVendor.OLLAMA,
        MAX_TOOLS,
        "{tool}",
        SystemPromptMethod.MESSAGE,
        EventInjection.HISTORY);
  }

  @Override
  public ProviderProbe probe() {
    if (maker.needsKey()) {
      return keys.usual().isPresent()
          ? ProviderProbe.ready(null, "an API key is configured")
          : new ProviderProbe(
              ProviderProbe.ProviderState.NEEDS_LOGIN,
              null,
              "no API key is configured",
              keys.hint());
    }
    List<String> models = models();
    return models.isEmpty()
        ? ProviderProbe.missing(
            "no server responds at " + maker.base(), "install Ollama and start it: ollama serve")
        : ProviderProbe.ready(null, "it has " + models.size() + " models");
  }

  /// Models listed at the vendor's address with the usual key; empty if the API does not respond.
  @Override
  public List<String> models() {
    if (maker.needsKey() && keys.usual().isEmpty()) {
      return List.of();
    }
    try {
      String base = maker.base();
      LlmWire wire = maker.wire(base);
      Map<String, String> headers = wire.headers(keys.usual().orElse(""));
      OutgoingResponse reply =
          outgoing.send(
              new OutgoingRequest(
                  "GET", wire.modelsAddress(base), headers, "", LIST_TIMEOUT, MAX_LISTING_BYTES));
      JsonNode listed = Json.parseLenient(reply.body());
      var names = new ArrayList<String>();
      listed.path("data").forEach(model -> names.add(wire.modelName(model)));
      listed.path("models").forEach(model -> names.add(wire.modelName(model)));
      return names.stream().filter(name -> !name.isEmpty()).sorted().distinct().toList();
    } catch (OutgoingFailure | Fault e) {
      return List.of();
    }
  }

  @Override
  public TurnOutcome runTurn(ProviderTurn turn) throws InterruptedException {
    ProviderConfig settings = turn.agent().config().provider();
    if (settings == null) {
      return new TurnOutcome.UnrecoverableFailure("the agent has no provider");
    }
    try {
      ApiAccess access = keys.access(settings);
      var line = new ModelClient(outgoing, maker.wire(access.base()));
      return runTurn(new ModelTurn(turn, settings, line, access, MAX_TOOLS));
    } catch (ModelFailure trouble) {
      return ended(trouble, false);
    } catch (Fault fault) {
      if (fault.code() == ErrorCode.INVALID_CONFIG) {
        return new TurnOutcome.UnrecoverableFailure(fault.message() + " (" + fault.hint() + ")");
      }
      throw fault;
    }
  }

  @Override
  public Optional<String> findProblem(Agent agent) {
    ProviderConfig settings = agent.config().provider();
    try {
      if (settings != null) {
        keys.access(settings);
      }
      return Optional.empty();
    } catch (Fault fault) {
      return Optional.of(
          "%s cannot run turns yet: %s; %s"
              .formatted(agent.handle(), fault.message(), fault.hint()));
    }
  }

  @Override
  public boolean hasOwnEndpoint(ProviderConfig settings) {
    return settings.apiKey() != null || settings.baseUrl() != null;
  }

  private TurnOutcome runTurn(ModelTurn turn) throws InterruptedException {
    try {
      return turn.run();
    } catch (ModelFailure trouble) {
      return ended(trouble, turn.hasHeard());
    }
  }

  /// A transient failure postpones the turn, unless it has had costs, which would be paid again.
  /// Another retryable failure fails the turn, which is retried; all others are final.
  private TurnOutcome ended(ModelFailure trouble, boolean hasCost) {
    String reason = "%s: %s%s".formatted(maker.id(), trouble.words(), hint(trouble.kind()));
    if (trouble.kind().isTransient() && !hasCost) {
      Duration wait = trouble.retryAfter();
      return new TurnOutcome.TurnPostponed(wait == null ? Duration.ZERO : wait, reason);
    }
    return trouble.kind().isRetryable()
        ? new TurnOutcome.TurnFailed(reason)
        : new TurnOutcome.UnrecoverableFailure(reason);
  }

  private String hint(FailureKind kind) {
    return switch (kind) {
      case LOCKED_OUT -> " (check the API key and the permissions of the account)";
      case INVALID -> " (check the agent's provider settings)";
      case NO_MODEL -> " (check /provider/model and /provider/baseUrl)";
      case TOO_LONG -> " (set a smaller /provider/contextTokens)";
      case RATE_LIMITED -> " (use fewer slots, or set /provider/fallbackModel)";
      case AWAY, BROKEN_OFF, WITHHELD -> "";
    };
  }

  /// Finds the key of a model API in the daemon's environment when it is needed.
  ///
  /// The vendor's usual variable is used for the vendor's own address only: another address gets
  /// the key configured for it, or none.
  private record ApiKeys(LlmVendor maker, AllowedEnvironment environment) {
    private static final Pattern VARIABLE =
        Pattern.compile("\\$\\{env\\.([A-Za-z_][A-Za-z0-9_]*)}");

    /// Rejects a value that is not a reference to an allowed variable.
    void require(String apiKey) {
      environment.requireAllowed(variable(apiKey), "/provider/apiKey");
    }

    private static String variable(String apiKey) {
      Matcher variable = VARIABLE.matcher(apiKey.strip());
      if (!variable.matches()) {
        throw ErrorCode.INVALID_CONFIG.fault(
            "/provider/apiKey must be a reference to an environment variable",
            "do not write keys into the configuration: set the key in the daemon's "
                + "environment, for example as MY_KEY, start the daemon with --allow-env "
                + "MY_KEY and write ${env.MY_KEY}");
      }
      return variable.group(1);
    }

    ApiAccess access(ProviderConfig settings) {
      String base = settings.baseUrl() == null ? maker.base() : maker.cleaned(settings.baseUrl());
      if (settings.apiKey() != null) {
        return new ApiAccess(base, environment.require(variable(settings.apiKey())));
      }
      if (settings.baseUrl() != null || !maker.needsKey()) {
        return new ApiAccess(base, "");
      }
      return new ApiAccess(base, usual().orElseThrow(this::missing));
    }

    /// The key in the vendor's usual environment variable.
    Optional<String> usual() {
      return maker.keyVariables().stream()
          .flatMap(name -> environment.find(name).stream())
          .findFirst();
    }

    private Fault missing() {
      return ErrorCode.INVALID_CONFIG.fault("no API key is configured for " + maker.id(), hint());
    }

    String hint() {
      return "set %s in the daemon's environment and restart it"
          .formatted(String.join(" or ", maker.keyVariables()));
    }
  }
}
