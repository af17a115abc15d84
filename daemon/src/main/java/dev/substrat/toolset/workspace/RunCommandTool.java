package dev.substrat.toolset.workspace;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.platform.json.Minimum;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolEffect;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.execution.InlinePolicy;
import org.jspecify.annotations.Nullable;

/// The tool `run_command`: runs a shell command in the workspace, in a sandbox.
public final class RunCommandTool implements Tool {
  static final String NAME = "run_command";

  /// Number of concurrent commands per agent: each is a process of this machine.
  private static final int AT_ONCE = 4;

  private static final JsonSchema INPUT = JsonSchema.ofRecord(Run.class);
  private static final JsonSchema OUTPUT = JsonSchema.ofResult(Ran.class);

  private final CommandRunner commands;

  public RunCommandTool(Workspaces workspaces) {
    this.commands = new CommandRunner(workspaces);
  }

  /// Input of run_command.
  public record Run(
      @JsonPropertyDescription("Shell command (/bin/sh); runs in your workspace.") String command,
      @JsonProperty(value = "timeout_seconds", defaultValue = "120")
          @Minimum(1)
          @JsonPropertyDescription("Timeout in seconds, up to 600.")
          @Nullable Integer timeoutSeconds) {}

  /// Result. `status` is `done`, `pending` with the id of the later result, or the reason why the
  /// command was stopped.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Ran(
      String status,
      @JsonProperty("exit_code") @Nullable Integer exitCode,
      @Nullable String output,
      @Nullable Boolean truncated,
      @JsonPropertyDescription("The limit of the sandbox that stopped the command.")
          @Nullable String limit,
      @Nullable String pendingToolCallId) {

    static Ran ended(CommandOutput output, int code) {
      return new Ran("done", code, output.text(), output.isTruncated(), null, null);
    }

    static Ran stopped(CommandOutput output, String why) {
      return new Ran(why, null, output.text(), output.isTruncated(), null, null);
    }

    Ran because(@Nullable String reached) {
      return new Ran(status, exitCode, output, truncated, reached, pendingToolCallId);
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return """
    Run a shell command in a sandbox: it sees your workspace and this machine's programs, and has no
    network unless it was allowed. Returns exit code and output. A command that takes longer than a few
    seconds returns `pending`; its result [[turn|starts a later turn]][[external|will be in check_inbox]].\
    """;
  }

  @Override
  public JsonSchema input() {
    return INPUT;
  }

  @Override
  public JsonSchema output() {
    return OUTPUT;
  }

  @Override
  public ToolEffect effect() {
    return ToolEffect.CHANGES;
  }

  @Override
  public boolean isOpenWorld() {
    return true;
  }

  /// If the daemon died, the effect of the command is unknown.
  @Override
  public InlinePolicy deferral() {
    return new InlinePolicy(null, false, AT_ONCE, false);
  }

  @Override
  public ToolResult call(ToolCall call, ObjectNode arguments) {
    return commands.run(call, Json.as(arguments, Run.class));
  }
}
