package dev.substrat.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.shell.RootCommand;
import dev.substrat.cli.shell.TerminalText;
import dev.substrat.cli.wire.DaemonClient;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;

/// Something about a server that only a person decides.
sealed interface ServerDecision {
  /// Everything they need to know for it.
  void show(RootCommand shell);

  String question();

  /// Whether somebody has decided the same about exactly this before.
  boolean isSoAlready();

  /// What is said then.
  String already();

  /// Where it goes.
  String path();

  /// Of exactly what was shown.
  String hash();

  /// What came of it.
  String done(RootCommand shell);

  /// That a server's program may be started.
  record OfProgram(String agent, JsonNode server) implements ServerDecision {
    public OfProgram {
      if (!server.hasNonNull("commandHash")) {
        throw new Fault(
            ErrorCode.INVALID_ARGUMENTS,
            "%s is not a program that is started here".formatted(name(server)),
            "name one of its tools: ./substrat server approve AGENT SERVER TOOL");
      }
    }

    @Override
    public void show(RootCommand shell) {
      shell.screen().note("the program: " + TerminalText.line(ServerPrinter.command(server)));
      shell.screen().note("its variables: " + TerminalText.line(ServerPrinter.variables(server)));
      shell.screen().note("the network: " + ServerPrinter.network(server));
      shell.screen().note(TerminalText.line(ServerPrinter.access(server)));
    }

    @Override
    public String question() {
      return "may %s start it?".formatted(agent);
    }

    @Override
    public boolean isSoAlready() {
      return !server.path("state").asText().equals("unapproved");
    }

    @Override
    public String already() {
      return "the program of %s is approved already, exactly as it is now".formatted(name(server));
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
    public String done(RootCommand shell) {
      return "approved: the program of %s may be started, exactly as it is now; its tools: %s"
          .formatted(name(server), shell.command("server look " + agent + " " + name(server)));
    }
  }

  /// That a tool is taken as it is offered, or not.
  record OfTool(String agent, JsonNode server, String tool, boolean isTaken)
      implements ServerDecision {
    public OfTool {
      offered(server, tool);
    }

    private static JsonNode offered(JsonNode server, String tool) {
      return ServerCommands.named(
          server.path("tools"), tool, "%s has no tool %s".formatted(name(server), tool));
    }

    @Override
    public void show(RootCommand shell) {
      new ServerPrinter(shell.screen()).difference(offered(server, tool));
    }

    @Override
    public String question() {
      return (isTaken ? "take %s like this?" : "reject %s as it is?").formatted(tool);
    }

    @Override
    public boolean isSoAlready() {
      return offered(server, tool).path("verdict").asText().equals(verdict());
    }

    @Override
    public String already() {
      return "%s of %s is %s already, as it is now".formatted(tool, name(server), verdict());
    }

    private String verdict() {
      return isTaken ? "approved" : "rejected";
    }

    @Override
    public String path() {
      return DaemonClient.path(ServerCommands.path(agent, name(server)) + "/tools/", tool)
          + (isTaken ? "/approve" : "/reject");
    }

    @Override
    public String hash() {
      return offered(server, tool).path("hash").asText();
    }

    @Override
    public String done(RootCommand shell) {
      return (isTaken
              ? "approved: %s has %s of %s as it is now"
              : "rejected: %s does not have %s of %s as it is now")
          .formatted(agent, tool, name(server));
    }
  }

  private static String name(JsonNode server) {
    return server.path("name").asText();
  }
}
