package dev.substrat.toolset.workspace;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.platform.json.Minimum;
import dev.substrat.tool.DelegatingTool;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolEffect;
import dev.substrat.tool.execution.InlinePolicy;
import org.jspecify.annotations.Nullable;

/// The tool `run_command`: runs a shell command in the workspace, in a sandbox.
public record RunCommandTool(Tool tool) implements DelegatingTool {
  static final String NAME = "run_command";

  /// Number of concurrent commands per agent: each is a process of this machine.
  private static final int AT_ONCE = 4;

  public RunCommandTool(Workspaces workspaces) {
    this(
        SimpleTool.answering(
            NAME,
            ToolEffect.CHANGES,
            Run.class,
            Ran.class,
            """
            Run a shell command in a sandbox: it sees your workspace and this machine's programs, and has no
            network unless it was allowed. Returns exit code and output. A command that takes longer than a few
            seconds returns `pending`; its result [[turn|starts a later turn]][[external|will be in check_inbox]].\
            """,
            new CommandRunner(workspaces)::run));
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
  public boolean isOpenWorld() {
    return true;
  }

  /// If the daemon died, the effect of the command is unknown.
  @Override
  public InlinePolicy deferral() {
    return new InlinePolicy(null, false, AT_ONCE, false);
  }
}
