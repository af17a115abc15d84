package dev.substrat.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.id.MessageId;
import dev.substrat.id.Principal;
import dev.substrat.team.Agent;
import dev.substrat.team.Agents;
import dev.substrat.tool.Call;
import dev.substrat.tool.Caller;
import dev.substrat.tool.Tool;
import dev.substrat.tool.Toolbox;
import dev.substrat.turn.ExternalRuns;
import dev.substrat.turn.LiveTurn;
import dev.substrat.turn.RunningTurns;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Who calls tools over MCP: an agent whose mind is elsewhere, or a turn that runs here. Found by
/// the credential's principal and by nothing that the request says.
public final class McpCallers {
  private final Toolbox toolbox;
  private final Agents agents;
  private final ExternalRuns externalRuns;
  private final RunningTurns running;

  public McpCallers(
      Toolbox toolbox, Agents agents, ExternalRuns externalRuns, RunningTurns running) {
    this.toolbox = toolbox;
    this.agents = agents;
    this.externalRuns = externalRuns;
    this.running = running;
  }

  /// Somebody who has tools.
  interface Actor {
    List<Tool> tools();

    Toolbox.Answer call(String tool, ObjectNode arguments, @Nullable String key);
  }

  /// Nobody, if it is the operator, who has no tools.
  Optional<Actor> find(Principal principal) {
    return switch (principal) {
      case Principal.Operator _ -> Optional.empty();
      case Principal.OfAgent one -> Optional.of(external(agents.require(one.agent().value())));
      case Principal.OfTurn turn -> Optional.of(inTurn(turn));
    };
  }

  /// Goes through the very turn that the daemon runs: its steps, its limits, its fence.
  private Actor inTurn(Principal.OfTurn principal) {
    LiveTurn turn =
        running
            .find(principal.run())
            .orElseThrow(() ->
                new JsonRpc.Failure(
                    JsonRpc.INVALID_REQUEST,
                    "this turn does not run on this daemon; call the one whose address the turn was"
                        + " given (SUBSTRAT_MCP_URL)"));
    return new Actor() {
      @Override
      public List<Tool> tools() {
        return toolbox.of(turn.agent());
      }

      @Override
      public Toolbox.Answer call(String tool, ObjectNode arguments, @Nullable String key) {
        return turn.callOverMcp(tool, arguments, key);
      }
    };
  }

  /// The daemon runs the turns of all others; a second mind beside them would read their mail.
  private Actor external(Agent agent) {
    if (!agent.isExternal()) {
      throw new JsonRpc.Failure(
          JsonRpc.INVALID_REQUEST,
          agent.name() + " is run by the daemon; only external agents act through MCP themselves");
    }
    Caller caller = externalRuns.caller(agent);
    return new Actor() {
      @Override
      public List<Tool> tools() {
        return toolbox.of(agent);
      }

      @Override
      public Toolbox.Answer call(String tool, ObjectNode arguments, @Nullable String key) {
        return toolbox.call(new Call(caller, 0, MessageId.random().value(), key), tool, arguments);
      }
    };
  }
}
