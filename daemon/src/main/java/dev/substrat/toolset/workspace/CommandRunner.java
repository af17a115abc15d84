package dev.substrat.toolset.workspace;

import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.Launch;
import dev.substrat.platform.sandbox.SandboxPolicy;
import dev.substrat.platform.sandbox.SandboxPolicy.Level;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.team.Agent;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Runs commands of agents in their workspaces, always in a sandbox. A command ends with the call
/// that started it.
record CommandRunner(Workspaces workspaces) {
  private static final int DEFAULT_SECONDS = 120;
  private static final int MOST_SECONDS = 600;

  ToolResult run(ToolCall call, RunCommandTool.Run wanted) {
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
    if (policy.strength() == Level.OFF) {
      throw ErrorCode.SANDBOX_UNAVAILABLE.fault(
          "commands run only in a sandbox, and workspace.sandbox is off",
          "ask a person to set workspace.sandbox to auto");
    }
    var launch =
        new Launch(
            List.of("/bin/sh", "-c", "exec 2>&1\n" + command),
            workspaces.directory(agent),
            Map.of(),
            UnaryOperator.identity());
    Launch sandboxed = workspaces.sandbox().launch(launch, policy.as(Level.REQUIRED));
    try {
      return ChildProcess.start(sandboxed);
    } catch (IOException e) {
      throw ErrorCode.SANDBOX_UNAVAILABLE.fault(
          "the command cannot be started: " + e.getMessage(),
          "continue without it, or tell a person",
          e);
    }
  }
}
