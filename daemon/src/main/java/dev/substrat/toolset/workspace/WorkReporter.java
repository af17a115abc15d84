package dev.substrat.toolset.workspace;

import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.StorableText;
import dev.substrat.platform.log.Log;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.toolset.workspace.BranchDiffReader.BranchDiff;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// Reports the changes on an agent's branch to its parent when the agent completes or is
/// terminated. The branch stays; the worktree of a terminated agent is removed.
///
/// Due reports are stored in the database, so they survive a crash. They are created on a thread of
/// their own, because git may be slow.
public final class WorkReporter {
  private static final Log LOG = Log.of(WorkReporter.class);
  private static final int MAX_TEXT_LENGTH = 8_000;

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;
  private final Workspaces workspaces;
  private final BranchDiffReader diffs;
  private final AtomicBoolean isAtWork = new AtomicBoolean();

  public WorkReporter(
      Database database, EventLog events, InstantSource clock, Workspaces workspaces) {
    this.database = database;
    this.events = events;
    this.clock = clock;
    this.workspaces = workspaces;
    this.diffs = workspaces.diffs();
  }

  /// Schedules a report to the agent's parent.
  public void due(Tx tx, AgentId agent) {
    Worktrees.due(tx, agent, clock.instant());
  }

  /// Starts sending due reports in the background; returns 0 immediately.
  public int sendDue() {
    if (!due().isEmpty() && isAtWork.compareAndSet(false, true)) {
      Thread.ofVirtual().name("harvest").start(this::reportDue);
    }
    return 0;
  }

  private record DueReport(AgentId agent, AgentId parent, Instant at) {}

  /// Due reports of worktrees on this machine; other daemons report theirs.
  private List<DueReport> due() {
    return database
        .<List<DueReport>>read(tx ->
            tx.list(
                "select agent_id, parent_id, due_at from worktree where due_at is not null",
                row ->
                    new DueReport(
                        new AgentId(row.text("agent_id")),
                        new AgentId(row.text("parent_id")),
                        row.instant("due_at"))))
        .stream()
        .filter(due -> workspaces.hasWorktree(due.agent()))
        .toList();
  }

  private void reportDue() {
    try {
      due().forEach(this::report);
    } catch (RuntimeException e) {
      // The daemon stops, or the database is not available: the report stays due.
      LOG.warn("cannot report the changes in worktrees, will retry", "reason", e);
    } finally {
      isAtWork.set(false);
    }
  }

  private void report(DueReport due) {
    Agent agent = database.<Agent>read(tx -> AgentTree.find(tx, due.agent().value()).orElseThrow());
    BranchDiff found = sendDue(agent);
    database.transact(tx -> {
      int first =
          tx.update(
              """
              update worktree set due_at = null, closed = ? where agent_id = ? and due_at = ?
              """,
              agent.isAlive() ? 0 : 1,
              due.agent().value(),
              due.at());
      if (first == 1) {
        AgentTree.find(tx, due.parent().value())
            .filter(Agent::isAlive)
            .ifPresent(parent -> report(tx, parent, agent, found));
      }
      return true;
    });
    events.signal().notifyWaiters();
  }

  private BranchDiff sendDue(Agent agent) {
    try {
      diffs.snapshot(agent);
    } catch (Fault fault) {
      // The uncommitted changes exist only in the worktree, so it stays.
      return unknown(agent, fault);
    }
    BranchDiff found = difference(agent);
    if (!agent.isAlive()) {
      close(agent);
    }
    return found;
  }

  private BranchDiff difference(Agent agent) {
    try {
      return diffs.of(agent);
    } catch (Fault fault) {
      return unknown(agent, fault);
    }
  }

  private void close(Agent agent) {
    try {
      diffs.close(agent);
    } catch (Fault fault) {
      LOG.warn("cannot remove a worktree", "agent", agent.handle(), "reason", fault.message());
    }
  }

  private static BranchDiff unknown(Agent agent, Fault fault) {
    LOG.warn("cannot read a worktree", "agent", agent.handle(), "reason", fault.message());
    return BranchDiff.unknown(Worktrees.branchOf(agent), fault.message());
  }

  private void report(Tx tx, Agent parent, Agent agent, BranchDiff diff) {
    String text =
        "%s has worked on branch %s:\n%s\n%s"
            .formatted(agent.name(), diff.branch(), diff.stat(), diff.patch());
    String cut =
        text.length() <= MAX_TEXT_LENGTH
            ? text
            : text.substring(0, MAX_TEXT_LENGTH) + "\n… the rest is on the branch";
    var payload =
        Json.object()
            .put("kind", InboxEvent.InboxEventKind.NOTICE.toString())
            .put("from", "substrat")
            .put("text", StorableText.sanitize(cut))
            .put("about", agent.name())
            .put("depth", 1);
    payload.set("payload", Json.object().put("branch", diff.branch()).put("base", diff.base()));
    String id = MessageId.random().value();
    var notice = new InboxEvent(id, InboxEvent.InboxEventKind.NOTICE, null, payload, 0, false);
    Inbox.put(tx, parent.id(), notice, false);
    events.append(
        tx,
        NewEvent.of("work_harvested")
            .about(parent.id().value())
            .and(agent.id().value())
            .with("agent", parent.handle())
            .with("subject", agent.handle())
            .with("branch", diff.branch()));
  }
}
