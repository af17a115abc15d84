package dev.substrat.server.console;

import dev.substrat.console.Avatar;
import dev.substrat.console.DisplayedPrincipal;
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

/// Display names of agents and people by database key. Each key is looked up once.
public final class DisplayNames {
  private final Tx tx;
  private final boolean isOperator;
  private final Map<String, DisplayedPrincipal> known = new HashMap<>();

  /// Only operators get links to agents.
  public DisplayNames(Tx tx, Principal viewer) {
    this.tx = tx;
    this.isOperator = viewer.isOperator();
  }

  public DisplayedPrincipal of(SpaceMember member) {
    return of(member.key());
  }

  public DisplayedPrincipal of(String key) {
    return known.computeIfAbsent(key, this::lookUp);
  }

  private DisplayedPrincipal lookUp(String key) {
    if (new SpaceMember(key).isPerson()) {
      String name = handle(key);
      return new DisplayedPrincipal(name, "", Avatar.of(key, name));
    }
    Optional<Agent> agent = AgentTree.find(tx, key);
    String handle = agent.map(Agent::handle).orElse(key);
    String path = isOperator && agent.isPresent() ? "/agents/" + handle : "";
    return new DisplayedPrincipal(handle, path, Avatar.of(key, agent.map(Agent::name).orElse(key)));
  }

  /// Name of an agent, with its handle if the two differ: names are not unique. The handle is also
  /// added if the name contains an at sign of any width, which could imitate another handle.
  public static String displayName(String name, String handle) {
    boolean isPlain = !Normalizer.normalize(name, Normalizer.Form.NFKC).contains("@");
    return isPlain && Handle.slug(name).equals(handle) ? name : name + " (@" + handle + ")";
  }

  /// Handle of a principal key.
  public static String handle(String key) {
    return key.startsWith(SpaceMember.PERSON) ? key.substring(SpaceMember.PERSON.length()) : key;
  }
}
