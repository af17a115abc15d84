package dev.substrat.toolset.workspace;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.platform.json.Minimum;
import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.LaunchParameters;
import dev.substrat.platform.process.ChildProcess.ProcessOutput;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.platform.sandbox.SandboxPolicy;
import dev.substrat.platform.sandbox.SandboxPolicy.SandboxLevel;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.team.Agent;
import dev.substrat.tool.DelegatingTool;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolEffect;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.execution.InlinePolicy;
import dev.substrat.toolset.workspace.RunCommandTool.RunCommandResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
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
            RunCommandInput.class,
            RunCommandResult.class,
            """
            Run a shell command in a sandbox: it sees your workspace and this machine's programs, and has no network access unless configured. Returns exit code and output. A command that takes longer than a few
            seconds returns `pending`; its result [[turn|starts a later turn]][[external|will be in check_inbox]].\
            """,
            new CommandRunner(workspaces)::run));
  }

  /// Input of run_command.
  public record RunCommandInput(
      @JsonPropertyDescription("Shell command (/bin/sh); runs in your workspace.") String command,
      @JsonProperty(value = "timeout_seconds", defaultValue = "120")
          @Minimum(1)
          @JsonPropertyDescription("Timeout in seconds, up to 600.")
          @Nullable Integer timeoutSeconds) {}

  /// Result. `status` is `done`, `pending` with the id of the later result, or the reason why the
  /// command was stopped.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record RunCommandResult(
      String status,
      @JsonProperty("exit_code") @Nullable Integer exitCode,
      @Nullable String output,
      @Nullable Boolean truncated,
      @JsonPropertyDescription("The limit of the sandbox that stopped the command.")
          @Nullable String limit,
      @Nullable String pendingToolCallId) {

    static RunCommandResult ended(CommandOutput output, int code) {
      return new RunCommandResult("done", code, output.text(), output.isTruncated(), null, null);
    }

    static RunCommandResult stopped(CommandOutput output, String why) {
      return new RunCommandResult(why, null, output.text(), output.isTruncated(), null, null);
    }

    RunCommandResult because(@Nullable String reached) {
      return new RunCommandResult(status, exitCode, output, truncated, reached, pendingToolCallId);
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

  /// Runs commands of agents in their workspaces, always in a sandbox. A command ends with the call
  /// that started it.
  private record CommandRunner(Workspaces workspaces) {
    private static final int DEFAULT_SECONDS = 120;
    private static final int MOST_SECONDS = 600;

    ToolResult run(ToolCall call, RunCommandTool.RunCommandInput wanted) {
      Agent agent = call.caller().agent();
      Duration limit = limit(agent, wanted.timeoutSeconds());
      try (ChildProcess child = start(agent, wanted.command())) {
        var command = new RunningCommand(child, workspaces.sandbox(), limit);
        return ToolResult.Done.with(call.interest().during(command::listen));
      }
    }

    /// Timeout of a command, limited by the time limit of a turn.
    private static Duration limit(Agent agent, @Nullable Integer wanted) {
      int seconds = Math.min(wanted == null ? DEFAULT_SECONDS : wanted, MOST_SECONDS);
      Integer turn = agent.config().limitsOrDefault().maxTurnSeconds();
      return Duration.ofSeconds(turn == null ? seconds : Math.min(seconds, turn));
    }

    private ChildProcess start(Agent agent, String command) {
      SandboxPolicy policy = workspaces.commandSandboxPolicy(agent);
      if (policy.strength() == SandboxLevel.OFF) {
        throw ErrorCode.SANDBOX_UNAVAILABLE.fault(
            "commands run only in a sandbox, and workspace.sandbox is off",
            "ask a person to set workspace.sandbox to auto");
      }
      var launch =
          new LaunchParameters(
              List.of("/bin/sh", "-c", "exec 2>&1\n" + command),
              workspaces.directory(agent),
              Map.of(),
              UnaryOperator.identity());
      LaunchParameters sandboxed =
          workspaces.sandbox().launch(launch, policy.as(SandboxLevel.REQUIRED));
      try {
        return ChildProcess.start(sandboxed);
      } catch (IOException e) {
        throw ErrorCode.SANDBOX_UNAVAILABLE.fault(
            "the command cannot be started: " + e.getMessage(),
            "continue without the command, or send a message to a person",
            e);
      }
    }
  }

  /// A running command: reads its output until it ends, times out or is interrupted. Belongs to one
  /// thread.
  private static final class RunningCommand {
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private final ChildProcess child;
    private final Sandbox sandbox;
    private final long end;
    private final CommandOutput output = new CommandOutput();

    RunningCommand(ChildProcess child, Sandbox sandbox, Duration timeout) {
      this.child = child;
      this.sandbox = sandbox;
      this.end = System.nanoTime() + timeout.toNanos();
      child.endInput();
    }

    /// Reads the output until the command ends.
    RunCommandResult listen() {
      try {
        while (true) {
          Duration left = Duration.ofNanos(end - System.nanoTime());
          if (!left.isPositive()) {
            return RunCommandResult.stopped(output, "timed_out");
          }
          switch (child.take(left).orElse(null)) {
            case null -> {
              // More output follows.
            }
            case ProcessOutput.OutputLine line -> output.add(line.text());
            case ProcessOutput.OversizedLine _ -> {
              return RunCommandResult.stopped(output, "output_too_long");
            }
            case ProcessOutput.EndOfOutput _ -> {
              return ended(child.exit(FAREWELL));
            }
          }
        }
      } catch (InterruptedException e) {
        // The call was cancelled.
        Thread.currentThread().interrupt();
        return RunCommandResult.stopped(output, "cancelled");
      }
    }

    private RunCommandResult ended(OptionalInt code) {
      String limit = sandbox.limitReached(child, code, output.text()).orElse(null);
      if (child.stopReason().isPresent()) {
        return RunCommandResult.stopped(output, "limit_exceeded").because(limit);
      }
      return code.isPresent()
          ? RunCommandResult.ended(output, code.getAsInt()).because(limit)
          : RunCommandResult.stopped(output, "output_closed");
    }
  }
}
