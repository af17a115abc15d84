package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.mcp.spi.McpClientInfo;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.mcp.wire.ProtocolRevision;
import dev.substrat.platform.json.Json;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Sessions of the legacy era. The id of a session encodes the capabilities of its client, so most
/// sessions need no memory: every daemon knows them, also after a restart. Subscriptions and log
/// levels are stored for a limited number of sessions. Above the limit, the least recently used one
/// is removed, first of the same caller, so that one client cannot evict the sessions of others.
///
/// Safe for many threads. A session belongs to its caller (`CallerPermissions.account`): the same
/// id used by another caller is another session.
final class McpSessions {
  private static final int MAX_COUNT = 10_000;
  static final int MAX_PER_CALLER = 1_000;

  /// Maximum number of subscriptions in all sessions of one caller.
  static final int MAX_SUBSCRIPTIONS = 2_000;

  private static final List<String> CAPABILITIES = List.of("sampling", "elicitation", "roots");
  private static final Pattern ID = Pattern.compile("[0-9a-f]{32}_([0-9-]{10})_([0-7])");

  private final SecureRandom random = new SecureRandom();
  private final Map<SessionKey, McpSession> alive = new BoundedSessionMap<>();
  private final Map<SessionKey, Boolean> ended = new BoundedSessionMap<>();

  private record SessionKey(String caller, String id) {}

  /// Creates a session and returns its id.
  String begin(ProtocolRevision revision, JsonNode capabilities) {
    var bytes = new byte[16];
    random.nextBytes(bytes);
    int able = 0;
    for (int i = 0; i < CAPABILITIES.size(); i++) {
      able |= capabilities.path(CAPABILITIES.get(i)).isObject() ? 1 << i : 0;
    }
    return HexFormat.of().formatHex(bytes) + "_" + revision + "_" + able;
  }

  /// Rejects an invalid id, and the id of an ended session.
  synchronized McpSession find(String caller, String id) {
    var name = new SessionKey(caller, id);
    if (ended.containsKey(name)) {
      throw ProtocolError.noSession();
    }
    McpSession known = alive.get(name);
    return known == null ? new McpSession(client(id)) : known;
  }

  /// Stores the session, so that it can have subscriptions.
  synchronized McpSession keep(String caller, String id) {
    var name = new SessionKey(caller, id);
    McpSession known = alive.get(name);
    if (known != null) {
      return known;
    }
    McpSession session = find(caller, id);
    List<SessionKey> own = own(caller);
    if (own.size() >= MAX_PER_CALLER) {
      alive.remove(own.getFirst());
    }
    alive.put(name, session);
    return session;
  }

  /// Subscribes a session to a resource.
  synchronized void subscribe(String caller, String id, String uri) {
    McpSession session = keep(caller, id);
    int all = 0;
    for (Map.Entry<SessionKey, McpSession> one : alive.entrySet()) {
      all += one.getKey().caller().equals(caller) ? one.getValue().subscriptions() : 0;
    }
    if (all >= MAX_SUBSCRIPTIONS) {
      throw ProtocolError.notNow(
          "your sessions already have the maximum of " + MAX_SUBSCRIPTIONS + " subscriptions");
    }
    session.subscribe(uri);
  }

  /// Stored sessions of a caller, least recently used first.
  private List<SessionKey> own(String caller) {
    return alive.keySet().stream().filter(name -> name.caller().equals(caller)).toList();
  }

  synchronized void end(String caller, String id) {
    McpSession session = find(caller, id);
    session.end();
    var name = new SessionKey(caller, id);
    alive.remove(name);
    ended.put(name, true);
  }

  private static McpClientInfo client(String id) {
    Matcher parts = ID.matcher(id);
    if (!parts.matches()) {
      throw ProtocolError.noSession();
    }
    ProtocolRevision revision =
        ProtocolRevision.of(parts.group(1)).orElseThrow(ProtocolError::noSession);
    var capabilities = Json.object();
    int able = Integer.parseInt(parts.group(2));
    for (int i = 0; i < CAPABILITIES.size(); i++) {
      if ((able & 1 << i) != 0) {
        capabilities.putObject(CAPABILITIES.get(i));
      }
    }
    return new McpClientInfo(revision, capabilities);
  }

  /// Removes the least recently used entry above the limit.
  private static final class BoundedSessionMap<K, V> extends LinkedHashMap<K, V> {
    private BoundedSessionMap() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > MAX_COUNT;
    }
  }
}
