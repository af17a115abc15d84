package dev.substrat.cli.mcpserver;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.protocol.ErrorCode;

/// A decision about a server or a tool that a person has to make.
sealed interface ServerDecision {
  /// Prints everything needed for the decision.
  void show(RootCommand shell);

  String question();

  /// True if the same decision about the same version was made before.
  boolean isAlreadyDecided();

  /// Message for that case.
  String alreadyDecidedMessage();

  /// Request path.
  String path();

  /// Hash of the version that was shown.
  String hash();

  /// Message about the result.
  String resultMessage(RootCommand shell);

  /// Approval to start a server's program.
  record ProgramDecision(String agent, JsonNode server) implements ServerDecision {
    public ProgramDecision {
      if (!server.hasNonNull("commandHash")) {
        throw ErrorCode.INVALID_ARGUMENTS.fault(
            "%s is not started as a program, so there is no program to approve"
                .formatted(name(server)),
            "approve one of its tools: ./substrat server approve AGENT SERVER TOOL");
      }
    }

    @Override
    public void show(RootCommand shell) {
      shell.note("program: " + TerminalText.line(ServerPrinter.command(server)));
      shell.note("environment: " + TerminalText.line(ServerPrinter.variables(server)));
      shell.note("network: " + ServerPrinter.network(server));
      shell.note(TerminalText.line(ServerPrinter.access(server)));
    }

    @Override
    public String question() {
      return "Allow %s to start this program?".formatted(agent);
    }

    @Override
    public boolean isAlreadyDecided() {
      return !server.path("state").asText().equals("unapproved");
    }

    @Override
    public String alreadyDecidedMessage() {
      return "the current program of %s is already approved".formatted(name(server));
    }

    @Override
    public String path() {
      return ServerCommands.path(agent, name(server)) + "/approve";
    }

    @Override
    public String hash() {
      return server.path("commandHash").asText();
    }

    @Override
    public String resultMessage(RootCommand shell) {
      return "approved: the current version of the program of %s; to list its tools: %s"
          .formatted(name(server), shell.command("server refresh " + agent + " " + name(server)));
    }
  }

  /// Approval or rejection of a tool in its current version.
  record ToolDecision(String agent, JsonNode server, String tool, boolean isApproval)
      implements ServerDecision {
    public ToolDecision {
      offered(server, tool);
    }

    private static JsonNode offered(JsonNode server, String tool) {
      return ServerCommands.named(
          server.path("tools"), tool, "%s has no tool %s".formatted(name(server), tool));
    }

    @Override
    public void show(RootCommand shell) {
      new ServerPrinter(shell.terminal()).difference(offered(server, tool));
    }

    @Override
    public String question() {
      return (isApproval ? "Approve %s in this version?" : "Reject %s in this version?")
          .formatted(tool);
    }

    @Override
    public boolean isAlreadyDecided() {
      return offered(server, tool).path("verdict").asText().equals(verdict());
    }

    @Override
    public String alreadyDecidedMessage() {
      return "the current version of %s of %s is already %s"
          .formatted(tool, name(server), verdict());
    }

    private String verdict() {
      return isApproval ? "approved" : "rejected";
    }

    @Override
    public String path() {
      return DaemonClient.path(ServerCommands.path(agent, name(server)) + "/tools/", tool)
          + (isApproval ? "/approve" : "/reject");
    }

    @Override
    public String hash() {
      return offered(server, tool).path("hash").asText();
    }

    @Override
    public String resultMessage(RootCommand shell) {
      return (isApproval
              ? "approved: %s can use the current version of %s of %s"
              : "rejected: %s cannot use the current version of %s of %s")
          .formatted(agent, tool, name(server));
    }
  }

  private static String name(JsonNode server) {
    return server.path("name").asText();
  }
}
