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
import dev.substrat.provider.ProviderCapabilities.Injection;
import dev.substrat.provider.ProviderCapabilities.SystemPrompt;
import dev.substrat.provider.ProviderProbe;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.llm.ModelFailure.Kind;
import dev.substrat.provider.llm.wire.LlmWire;
import dev.substrat.team.Agent;
import dev.substrat.team.ProviderConfig;
import dev.substrat.team.toolconfig.AllowedEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Provider that runs turns with a model API.
///
/// Addresses come from the operator's configuration, so any address may be called, also one on this
/// machine such as Ollama's. Agents cannot choose one.
public final class LlmProvider implements Provider {
  private static final Duration LOOK = Duration.ofSeconds(5);
  private static final long MOST_LISTED = 4L * 1024 * 1024;

  /// OpenAI refuses a question with more, and the others are not far from it.
  private static final int MOST_TOOLS = 128;

  private final LlmVendor maker;
  private final GuardedHttpClient outgoing;
  private final ApiKeys keys;

  private LlmProvider(LlmVendor maker, GuardedHttpClient outgoing, AllowedEnvironment environment) {
    this.maker = maker;
    this.outgoing = outgoing.withoutAddressCheck();
    this.keys = new ApiKeys(maker, environment);
  }

  /// One for each API there is.
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
        MOST_TOOLS,
        "{tool}",
        SystemPrompt.MESSAGE,
        Injection.HISTORY);
  }

  @Override
  public ProviderProbe probe() {
    if (maker.needsKey()) {
      return keys.usual().isPresent()
          ? ProviderProbe.ready(null, "an API key is configured")
          : new ProviderProbe(
              ProviderProbe.State.NEEDS_LOGIN, null, "no API key is configured", keys.hint());
    }
    List<String> models = models();
    return models.isEmpty()
        ? ProviderProbe.missing(
            "no server responds at " + maker.base(), "install it and start it: ollama serve")
        : ProviderProbe.ready(null, "it has " + models.size() + " models");
  }

  /// Asks the API at its usual address, with the usual key; none if it does not answer.
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
              new OutgoingRequest("GET", wire.modelsAddress(base), headers, "", LOOK, MOST_LISTED));
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
  public Outcome runTurn(ProviderTurn turn) throws InterruptedException {
    ProviderConfig mind = turn.agent().config().provider();
    if (mind == null) {
      return new Outcome.Unrecoverable("the agent has no provider");
    }
    try {
      ApiAccess access = keys.access(mind);
      var line = new ModelClient(outgoing, maker.wire(access.base()));
      return think(new ModelTurn(turn, mind, line, access, MOST_TOOLS));
    } catch (ModelFailure trouble) {
      return ended(trouble, false);
    } catch (Fault fault) {
      if (fault.code() == ErrorCode.INVALID_CONFIG) {
        return new Outcome.Unrecoverable(fault.message() + " (" + fault.hint() + ")");
      }
      throw fault;
    }
  }

  @Override
  public Optional<String> findProblem(Agent agent) {
    ProviderConfig mind = agent.config().provider();
    try {
      if (mind != null) {
        keys.access(mind);
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

  private Outcome think(ModelTurn thinking) throws InterruptedException {
    try {
      return thinking.think();
    } catch (ModelFailure trouble) {
      return ended(trouble, thinking.hasHeard());
    }
  }

  /// What only came at the wrong time waits for a better one, unless the turn has cost something
  /// already: that is not to be paid again and again. What else may pass is tried again with the
  /// whole turn; the rest is not.
  private Outcome ended(ModelFailure trouble, boolean hasCost) {
    String reason = "%s: %s%s".formatted(maker.id(), trouble.words(), hint(trouble.kind()));
    if (trouble.kind().isTransient() && !hasCost) {
      Duration wait = trouble.retryAfter();
      return new Outcome.Postponed(wait == null ? Duration.ZERO : wait, reason);
    }
    return trouble.kind().isRetryable()
        ? new Outcome.Failed(reason)
        : new Outcome.Unrecoverable(reason);
  }

  private String hint(Kind kind) {
    return switch (kind) {
      case LOCKED_OUT -> " (check the API key and the permissions of the account)";
      case INVALID -> " (check the agent's provider settings)";
      case NO_MODEL -> " (check /provider/model and /provider/baseUrl)";
      case TOO_LONG -> " (set a smaller /provider/contextTokens)";
      case RATE_LIMITED -> " (use fewer slots, or set /provider/fallbackModel)";
      case AWAY, BROKEN_OFF, WITHHELD -> "";
    };
  }
}
