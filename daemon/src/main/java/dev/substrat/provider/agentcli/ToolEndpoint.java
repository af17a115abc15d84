package dev.substrat.provider.agentcli;

import java.util.List;

/// URL and token with which a CLI reaches its agent's tools during one turn.
public sealed interface ToolEndpoint {
  /// Name of the MCP server in the configuration of every CLI.
  String NAME = "substrat";

  /// The token of the turn must not be on a command line.
  record HttpEndpoint(String url, String token) implements ToolEndpoint {
    @Override
    public String toString() {
      return "Http[" + url + "]";
    }
  }

  /// A program that the CLI starts; the token is in a file that is named in the command.
  record StdioEndpoint(List<String> command) implements ToolEndpoint {
    public StdioEndpoint {
      command = List.copyOf(command);
    }
  }
}
