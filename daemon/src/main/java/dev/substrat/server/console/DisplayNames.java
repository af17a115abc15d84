package dev.substrat.server.console;

import dev.substrat.console.Avatar;
import dev.substrat.console.NamedPrincipal;
import dev.substrat.platform.identity.Principal;
import dev.substrat.protocol.Handle;
import dev.substrat.space.SpaceMember;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import java.text.Normalizer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Who is meant by the keys that stand in the database, as a page names them. Everybody is looked
/// up once.
public final class DisplayNames {
  private final Tx tx;
  private final boolean isOperator;
  private final Map<String, NamedPrincipal> known = new HashMap<>();

  /// Only the operator is led to agents.
  public DisplayNames(Tx tx, Principal viewer) {
    this.tx = tx;
    this.isOperator = viewer.isOperator();
  }

  public NamedPrincipal of(SpaceMember member) {
    return of(member.key());
  }

  public NamedPrincipal of(String key) {
    return known.computeIfAbsent(key, this::look);
  }

  private NamedPrincipal look(String key) {
    if (new SpaceMember(key).isPerson()) {
      String name = handle(key);
      return new NamedPrincipal(name, "", Avatar.of(key, name));
    }
    Optional<Agent> agent = AgentTree.find(tx, key);
    String handle = agent.map(Agent::handle).orElse(key);
    String path = isOperator && agent.isPresent() ? "/agents/" + handle : "";
    return new NamedPrincipal(handle, path, Avatar.of(key, agent.map(Agent::name).orElse(key)));
  }

  /// An agent's name, and its handle where the name does not suggest it: two can have one name. A
  /// name with an at sign in it, of whatever width, could pass for another's handle.
  public static String called(String name, String handle) {
    boolean isPlain = !Normalizer.normalize(name, Normalizer.Form.NFKC).contains("@");
    return isPlain && Handle.slug(name).equals(handle) ? name : name + " (@" + handle + ")";
  }

  /// How a person is called who is known by a key.
  public static String handle(String key) {
    return key.startsWith(SpaceMember.PERSON) ? key.substring(SpaceMember.PERSON.length()) : key;
  }
}
