package dev.substrat.server.mcp;

import dev.substrat.mcp.spi.CatalogChange;
import dev.substrat.mcp.spi.ChangeWatch;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.log.Log;
import dev.substrat.store.Database;
import dev.substrat.store.event.Event;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.EventSignal;
import dev.substrat.team.AgentTree;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Notifies open streams of changes that concern their agent. One thread reads the event log for
/// all streams.
final class ChangeFeed implements AutoCloseable {
  private static final Log LOG = Log.of(ChangeFeed.class);
  private static final int PAGE = 500;
  private static final Duration MAX_WAIT = Duration.ofSeconds(10);

  private static final Set<String> TEAM_CHANGES =
      Set.of("agent_created", "agent_updated", "agent_terminated");

  /// All event types that [#changes] handles.
  private static final Set<String> KINDS =
      Set.of(
          "message_sent",
          "message_released",
          "message_retried",
          "message_replied",
          "reminder_due",
          "plan_due",
          "notice_given",
          "agent_created",
          "agent_updated",
          "agent_terminated",
          "remote_tools_changed",
          "remote_tool_approved",
          "remote_tool_rejected",
          "tools_loaded",
          "pending_call");

  private final Database database;
  private final EventLog events;
  private final EventSignal signal;
  private final Map<String, Set<UnsentChanges>> open = new ConcurrentHashMap<>();
  private final Thread reader;

  ChangeFeed(Database database, EventLog events) {
    this.database = database;
    this.events = events;
    this.signal = events.signal(KINDS);
    this.reader = Thread.ofVirtual().name("mcp-changes").start(this::read);
  }

  ChangeWatch watch(String agent) {
    var notes = new UnsentChanges(this, agent);
    open.compute(
        agent,
        (_, others) -> {
          Set<UnsentChanges> all = others == null ? ConcurrentHashMap.newKeySet() : others;
          all.add(notes);
          return all;
        });
    return notes;
  }

  void forget(UnsentChanges notes) {
    open.computeIfPresent(
        notes.agent(),
        (_, all) -> {
          all.remove(notes);
          return all.isEmpty() ? null : all;
        });
  }

  private void read() {
    try {
      OptionalLong position = OptionalLong.empty();
      while (true) {
        long rings = signal.count();
        position = readNew(position);
        signal.awaitMoreThan(rings, MAX_WAIT);
      }
    } catch (InterruptedException e) {
      // Closing.
    }
  }

  /// If the database fails, the same events are read again later, so that clients miss nothing.
  private OptionalLong readNew(OptionalLong start) {
    try {
      // Read before the list of streams, so that a stream opened in between misses nothing.
      long newest = events.last();
      return OptionalLong.of(
          open.isEmpty() || start.isEmpty() ? newest : passOn(start.getAsLong(), newest));
    } catch (RuntimeException e) {
      LOG.warn("cannot notify MCP clients of changes, will retry", "reason", e.getMessage());
      return start;
    }
  }

  /// Returns the position of the last event read; events of other kinds are skipped.
  private long passOn(long start, long newest) {
    long position = start;
    int read = PAGE;
    while (read == PAGE) {
      var page = events.ofKinds(KINDS, position, PAGE);
      for (Event event : page) {
        position = event.seq();
        notifyStreams(event.agent(), changes(event, true));
        notifyStreams(event.peer(), changes(event, false));
        if (TEAM_CHANGES.contains(event.kind())) {
          near(event)
              .forEach(agent ->
                  notifyStreams(
                      agent, Set.of(new CatalogChange.ResourceChange(AgentResources.TEAM))));
          notifyStreams(Principal.ZOO_NAME, inZoo(event));
        }
      }
      read = page.size();
    }
    return Math.max(position, newest);
  }

  /// Zoo clients see every agent, as a prompt and as a resource.
  private static Set<CatalogChange> inZoo(Event event) {
    String id = event.payload().path("agent").asText();
    return Set.of(
        CatalogChange.CatalogListChange.PROMPTS,
        CatalogChange.CatalogListChange.RESOURCES,
        new CatalogChange.ResourceChange(ZooResources.URI + id));
  }

  private void notifyStreams(@Nullable String agent, Set<CatalogChange> changes) {
    Set<UnsentChanges> all = agent == null ? null : open.get(agent);
    if (all != null) {
      changes.forEach(change -> all.forEach(notes -> notes.add(change)));
    }
  }

  /// Agents in the team of the agent that an event is about.
  private List<String> near(Event event) {
    String changed = event.agent();
    return changed == null
        ? List.of()
        : database.read(tx ->
            AgentTree.find(tx, changed).stream()
                .flatMap(agent -> AgentTree.reachable(tx, agent).stream())
                .map(agent -> agent.id().value())
                .toList());
  }

  /// What an event changes for the agent it is about, or for another agent.
  private static Set<CatalogChange> changes(Event event, boolean isAbout) {
    var mail = Set.<CatalogChange>of(new CatalogChange.ResourceChange(AgentResources.INBOX));
    return switch (event.kind()) {
      case "message_sent",
          "message_released",
          "message_retried",
          "reminder_due",
          "plan_due",
          "notice_given" ->
          isAbout ? mail : Set.of();
      case "message_replied" -> isAbout ? Set.of() : mail;
      case "agent_updated" ->
          Set.of(
              CatalogChange.CatalogListChange.TOOLS,
              new CatalogChange.ResourceChange(AgentResources.TEAM));
      case "remote_tools_changed", "remote_tool_approved", "remote_tool_rejected", "tools_loaded" ->
          Set.of(CatalogChange.CatalogListChange.TOOLS);
      case "agent_created", "agent_terminated" ->
          Set.of(new CatalogChange.ResourceChange(AgentResources.TEAM));
      case "pending_call" ->
          Set.of(new CatalogChange.TaskChange(event.payload().path("callId").asText()));
      default -> Set.of();
    };
  }

  @Override
  public void close() {
    reader.interrupt();
  }

  /// Changes that one open stream has not sent yet. Repeated changes are merged, so the size is
  /// bounded.
  ///
  /// One thread adds, another takes.
  static final class UnsentChanges implements ChangeWatch {
    private final ChangeFeed feed;
    private final String agent;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition added = lock.newCondition();
    private Set<CatalogChange> changes = new LinkedHashSet<>();

    UnsentChanges(ChangeFeed feed, String agent) {
      this.feed = feed;
      this.agent = agent;
    }

    String agent() {
      return agent;
    }

    void add(CatalogChange change) {
      lock.lock();
      try {
        changes.add(change);
        added.signalAll();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public Set<CatalogChange> next(Duration longest) throws InterruptedException {
      long left = longest.toNanos();
      lock.lock();
      try {
        while (changes.isEmpty() && left > 0) {
          left = added.awaitNanos(left);
        }
        Set<CatalogChange> taken = changes;
        changes = new LinkedHashSet<>();
        return taken;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      feed.forget(this);
    }
  }
}
