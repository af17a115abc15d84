package dev.substrat.messaging.message;

import dev.substrat.platform.identity.Principal;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.team.AgentTree.Alive;
import dev.substrat.tool.ToolCaller;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Resolves the recipients an agent may write to: its neighbours in the tree, and principals that
/// wait for its answer.
final class Recipients {
  /// Names that agents without a parent use for the operator.
  private static final List<String> PERSON = List.of("user", Principal.OPERATOR_NAME);

  private Recipients() {}

  /// A recipient: the key of a principal, and the agent, if it is one.
  record Recipient(String key, @Nullable Alive agent) {
    static final Recipient OPERATOR = new Recipient(Principal.OPERATOR_NAME, null);
  }

  /// An agent may answer every question it got, also one of a person that it cannot write to first.
  static Recipient of(Tx tx, ToolCaller caller, AgentMessages.MessageRequest input) {
    boolean answersPerson =
        isPerson(input.recipient())
            && AgentMessages.answered(tx, caller, Principal.OPERATOR_NAME, input.inReplyTo())
                .isPresent();
    return answersPerson ? Recipient.OPERATOR : named(tx, caller.agent(), input.recipient());
  }

  /// Whether a principal can still read messages.
  static boolean isThere(Tx tx, String principal) {
    return principal.equals(Principal.OPERATOR_NAME)
        || AgentTree.find(tx, principal).filter(Agent::isAlive).isPresent();
  }

  static boolean isPerson(String name) {
    return PERSON.stream().anyMatch(person -> person.equalsIgnoreCase(name));
  }

  static Recipient named(Tx tx, Agent sender, String name) {
    if (isPerson(name) && sender.parent() == null) {
      return Recipient.OPERATOR;
    }
    if (name.isBlank()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "/recipient is empty",
          "you can write to " + reach(sender, AgentTree.reachable(tx, sender)));
    }
    return AgentTree.findNearAlive(tx, sender, name)
        .map(agent -> new Recipient(agent.id().value(), agent))
        .orElseThrow(() -> unreachable(sender, name, AgentTree.reachable(tx, sender)));
  }

  private static Fault unreachable(Agent sender, String name, List<Agent> near) {
    String first =
        isPerson(name)
            ? "only agents without a parent can write to the operator first; you can answer while the"
                + " operator waits for your answer. "
            : "";
    return ErrorCode.RECIPIENT_UNREACHABLE.fault(
        "you cannot write to \"" + name + "\"", first + "you can write to " + reach(sender, near));
  }

  private static String reach(Agent sender, List<Agent> near) {
    var names = new ArrayList<>(near.stream().map(Agent::name).toList());
    if (sender.parent() == null) {
      names.add(Principal.OPERATOR_NAME);
    }
    return names.isEmpty() ? "no agent" : String.join(", ", names);
  }
}
