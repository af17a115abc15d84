package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.team.toolconfig.CustomToolConfig;
import dev.substrat.team.toolconfig.ExecutionType;
import dev.substrat.team.toolconfig.ToolExecution;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolEffect;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.execution.InlinePolicy;
import dev.substrat.toolset.custom.middleware.RepairMiddleware;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A tool built from configuration.
final class CustomTool implements Tool {
  private static final JsonSchema ANYTHING = JsonSchema.of(Json.object().put("type", "object"));

  /// RFC 9110, 9.2.2.
  private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "PUT", "DELETE");

  private final CustomToolConfig config;
  private final @Nullable InlinePolicy deferral;
  private final JsonSchema input;
  private final ToolExecutor work;
  private final boolean isRepaired;
  private final boolean isExternal;

  /// `work` executes a call with all middleware; `isExternal` says whether the agent is external.
  CustomTool(CustomToolConfig config, ToolExecutor work, boolean isRepaired, boolean isExternal) {
    this.config = config;
    this.deferral = deferral(config);
    this.input = config.inputSchema() == null ? ANYTHING : JsonSchema.of(config.inputSchema());
    this.work = work;
    this.isRepaired = isRepaired;
    this.isExternal = isExternal;
  }

  @Override
  public String name() {
    return config.name();
  }

  @Override
  public String title() {
    return config.name();
  }

  @Override
  public String description() {
    return config.isAnsweredLater()
        ? config.descriptionOrName()
            + "\nReturns `pending` immediately; the result "
            + (isExternal ? "will be in check_inbox." : "starts a later turn.")
        : config.descriptionOrName();
  }

  @Override
  public JsonSchema input() {
    return input;
  }

  @Override
  public JsonSchema output() {
    return ANYTHING;
  }

  /// Without a configured effect, GET requests and computed results are read-only.
  @Override
  public ToolEffect effect() {
    return isReading() ? ToolEffect.LOOKS : ToolEffect.CHANGES;
  }

  private boolean isReading() {
    return config.executionOrNone().computes()
        || (!config.isAnsweredLater()
            && config.executionOrNone().address() != null
            && HttpToolExecutor.method(config).equals("GET"));
  }

  @Override
  public boolean isOpenWorld() {
    return !config.executionOrNone().computes();
  }

  @Override
  public @Nullable InlinePolicy deferral() {
    return deferral;
  }

  private static @Nullable InlinePolicy deferral(CustomToolConfig config) {
    ToolExecution execution = config.executionOrNone();
    if (config.isAnsweredLater() || execution.computes()) {
      return null;
    }
    return config.isExternalCallback()
        ? InlinePolicy.handedOver(execution.inlineSeconds())
        : new InlinePolicy(execution.inlineSeconds(), isRepeatable(config));
  }

  /// A sub-agent has no tools, so repeating it changes nothing; only its cost is paid again. A
  /// request is repeated if its method is idempotent, or if the configuration sends the service an
  /// idempotency key.
  private static boolean isRepeatable(CustomToolConfig config) {
    ToolExecution execution = config.executionOrNone();
    if (execution.agentConfig() != null) {
      return true;
    }
    boolean hasOwnKey =
        execution.headers() != null
            && execution.headers().keySet().stream()
                .anyMatch(HttpToolExecutor.IDEMPOTENCY_KEY::equalsIgnoreCase);
    return execution.address() != null
        && (IDEMPOTENT.contains(HttpToolExecutor.method(config)) || hasOwnKey);
  }

  @Override
  public boolean isShown() {
    return config.isShown();
  }

  @Override
  public boolean reportsProgress() {
    return config.executionType() != ExecutionType.INTERNAL;
  }

  /// A question is only a row until it is answered.
  @Override
  public boolean isOneTransaction() {
    return config.isAnsweredLater();
  }

  @Override
  public ObjectNode repair(ObjectNode arguments) {
    return isRepaired ? RepairMiddleware.repair(input.json(), arguments) : arguments;
  }

  @Override
  public ToolResult call(ToolCall call, ObjectNode arguments) {
    return work.run(call, arguments);
  }
}
