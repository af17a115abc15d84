package dev.substrat.provider.agentcli;

import java.util.List;

/// URL and token with which a CLI reaches its agent's tools during one turn.
public sealed interface ToolEndpoint {
  /// The name under which every CLI knows our server.
  String NAME = "substrat";

  /// The token is that of the turn, and must not stand on a command line.
  record Http(String url, String token) implements ToolEndpoint {
    @Override
    public String toString() {
      return "Http[" + url + "]";
    }
  }

  /// A program that the CLI starts beside itself; the token is in a file that is named there.
  record Stdio(List<String> command) implements ToolEndpoint {
    public Stdio {
      command = List.copyOf(command);
    }
  }
}
