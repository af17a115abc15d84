package dev.substrat.catalog.template;

import dev.substrat.memory.BlockAdministration;
import dev.substrat.memory.BrainEntries;
import dev.substrat.memory.MemoryAuthor;
import dev.substrat.memory.MemoryFeatures;
import dev.substrat.memory.MemoryValues;
import dev.substrat.memory.Passages;
import dev.substrat.platform.identity.AccessTarget;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.Scope;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import dev.substrat.schedule.GoalsAndPlans;
import dev.substrat.schedule.Plan;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.AgentTree;
import dev.substrat.team.Agents;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Restores memory, goals and plans of an agent: one transaction, all or nothing.
///
/// Blocks, values and brain entries have names: existing ones are overwritten. A passage is added
/// if the agent has fewer with the same content and tags than the snapshot. Goals and plans are
/// added. All errors are reported together, each with its JSON pointer.
public final class SnapshotRestore {
  private static final String REASON = "restored";

  private final Database database;
  private final Agents agents;
  private final MemoryFeatures memory;
  private final GoalsAndPlans goalsAndPlans;
  private final InstantSource clock;

  public SnapshotRestore(
      Database database,
      Agents agents,
      MemoryFeatures memory,
      GoalsAndPlans goalsAndPlans,
      InstantSource clock) {
    this.database = database;
    this.agents = agents;
    this.memory = memory;
    this.goalsAndPlans = goalsAndPlans;
    this.clock = clock;
  }

  public void restore(CallerPermissions by, String idOrHandle, AgentSnapshot snapshot) {
    PreparedRestore prepared = prepare(snapshot);
    database.transact(tx -> {
      Agent agent = AgentTree.require(tx, idOrHandle);
      requireScopes(by, AccessTarget.ofAgent(agent.id().value()), snapshot);
      return restore(tx, agent, snapshot, prepared);
    });
  }

  /// Requires the same scopes as the routes that write goals, plans and memory.
  private static void requireScopes(
      CallerPermissions by, AccessTarget about, AgentSnapshot snapshot) {
    if (snapshot.memory() != null) {
      by.require(Scope.MEMORY_WRITE, () -> about);
    }
    if (!snapshot.goalsOrNone().isEmpty() || !snapshot.plansOrNone().isEmpty()) {
      by.require(Scope.AGENTS_WRITE, () -> about);
    }
  }

  /// Validates `restore` without changing anything; without an agent, for a new one. Returns
  /// warnings.
  public List<String> validate(
      CallerPermissions by, @Nullable String idOrHandle, AgentSnapshot snapshot) {
    PreparedRestore prepared = prepare(snapshot);
    database.dryRun(tx -> {
      Agent agent =
          idOrHandle == null ? agents.create(tx, blank()) : AgentTree.require(tx, idOrHandle);
      AccessTarget about =
          idOrHandle == null ? AccessTarget.NONE : AccessTarget.ofAgent(agent.id().value());
      requireScopes(by, about, snapshot);
      return restore(tx, agent, snapshot, prepared);
    });
    return overdue(prepared.plans());
  }

  private static AgentConfig blank() {
    return new AgentConfig("Snapshot check", null, null, null, null, null, null, null, null, null);
  }

  private List<String> overdue(List<Plan> plans) {
    Instant now = clock.instant();
    var warnings = new ArrayList<String>();
    for (int i = 0; i < plans.size(); i++) {
      Instant next = plans.get(i).nextRunAt();
      if (next != null && next.isBefore(now)) {
        warnings.add(
            "/plans/%d/scheduledAt: %s has passed, so the plan is due immediately; to prevent that, set status: done"
                .formatted(i, next));
      }
    }
    return warnings;
  }

  /// Computed before the transaction, because it takes a while.
  private record PreparedRestore(List<Plan> plans, ImportProblems mistakes) {}

  private PreparedRestore prepare(AgentSnapshot snapshot) {
    var mistakes = new ImportProblems();
    var plans = new ArrayList<Plan>();
    List<Plan.SavedPlan> saved = snapshot.plansOrNone();
    mistakes.each("", saved.size(), i -> plans.add(goalsAndPlans.plans().prepare(saved.get(i), i)));
    return new PreparedRestore(plans, mistakes);
  }

  private boolean restore(Tx tx, Agent agent, AgentSnapshot snapshot, PreparedRestore prepared) {
    var mistakes = new ImportProblems();
    var writer = MemoryAuthor.operator(REASON);
    restoreBlocks(tx, agent, snapshot, mistakes);
    restorePassages(tx, agent, snapshot, mistakes);
    List<MemoryValues.KeyValuePair> facts =
        snapshot.valuesOrNone().entrySet().stream()
            .map(entry -> new MemoryValues.KeyValuePair(entry.getKey(), entry.getValue()))
            .toList();
    for (MemoryValues.KeyValuePair fact : facts) {
      mistakes.note(
          "/memory/values/" + ImportProblems.escaped(fact.key()),
          () -> memory.values().put(tx, agent, fact, writer));
    }
    List<BrainEntries.BrainEntryDraft> brain = snapshot.brainOrNone();
    mistakes.unique(
        "/memory/brain", "title", brain.stream().map(BrainEntries.BrainEntryDraft::title).toList());
    mistakes.each(
        "/memory/brain/", brain.size(), i -> memory.brain().put(tx, agent, brain.get(i), writer));
    var goals = snapshot.goalsOrNone();
    mistakes.each(
        "/goals/", goals.size(), i -> goalsAndPlans.goals().set(tx, agent, List.of(goals.get(i))));
    mistakes.addAll(prepared.mistakes());
    mistakes.note(
        "/plans",
        () -> prepared.plans().forEach(plan -> goalsAndPlans.plans().restore(tx, agent, plan)));
    mistakes.throwIfAny();
    return true;
  }

  private void restoreBlocks(Tx tx, Agent agent, AgentSnapshot snapshot, ImportProblems mistakes) {
    List<AgentSnapshot.SavedBlock> blocks = snapshot.blocksOrNone();
    mistakes.unique(
        "/memory/blocks", "label", blocks.stream().map(AgentSnapshot.SavedBlock::label).toList());
    mistakes.each(
        "/memory/blocks/",
        blocks.size(),
        i -> {
          AgentSnapshot.SavedBlock block = blocks.get(i);
          var change =
              new BlockAdministration.BlockChange(
                  block.content(), block.description(), block.limit(), block.readOnly(), null);
          memory.keptBlocks().set(tx, agent, block.label(), change, MemoryAuthor.operator(REASON));
        });
  }

  private void restorePassages(
      Tx tx, Agent agent, AgentSnapshot snapshot, ImportProblems mistakes) {
    List<AgentSnapshot.SavedPassage> passages = snapshot.passagesOrNone();
    if (passages.isEmpty()) {
      return;
    }
    Map<Passages.PassageDraft, Integer> left =
        Passages.count(
            tx, agent.id(), passages.stream().map(AgentSnapshot.SavedPassage::content).toList());
    mistakes.each(
        "/memory/passages/",
        passages.size(),
        i -> {
          AgentSnapshot.SavedPassage passage = passages.get(i);
          var text =
              new Passages.PassageDraft(
                  passage.content(), passage.tags() == null ? List.of() : passage.tags());
          Instant at = passage.createdAt() == null ? null : instant(passage.createdAt());
          if (left.merge(text, -1, Integer::sum) < 0) {
            memory.passages().add(tx, agent, text, at, MemoryAuthor.operator(REASON));
          }
        });
  }

  /// With the precision of the database.
  private static Instant instant(String text) {
    try {
      return Instant.ofEpochMilli(OffsetDateTime.parse(text.strip()).toInstant().toEpochMilli());
    } catch (DateTimeParseException e) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "/createdAt is not a time with an offset: " + text,
          "for example 2026-03-01T08:00:00Z",
          e);
    }
  }

  /// The first 20 errors in a snapshot, each with its place and its hint. Later entries are not
  /// checked: nothing will be restored anyway.
  private static final class ImportProblems {
    private final List<Problem.ProblemDetail> details = new ArrayList<>();
    private @Nullable Fault first;

    private boolean isFull() {
      return details.size() >= Fault.MAX_DETAILS;
    }

    void each(String prefix, int size, IntConsumer work) {
      for (int i = 0; i < size && !isFull(); i++) {
        int index = i;
        note(prefix.isEmpty() ? "" : prefix + i, () -> work.accept(index));
      }
    }

    void note(String pointer, Runnable work) {
      if (isFull()) {
        return;
      }
      try {
        work.run();
      } catch (Fault fault) {
        if (fault.code().kind() != ErrorCode.ErrorKind.CALLER) {
          throw fault;
        }
        add(pointer, fault);
      }
    }

    private void add(String pointer, Fault fault) {
      first = first == null ? fault : first;
      Optional<Problem.ProblemDetail> placed = Problem.ProblemDetail.placed(fault.message());
      // Goals are set one by one, so the pointer of each error starts with index 0.
      String inside =
          placed.map(Problem.ProblemDetail::pointer).orElse("").replaceFirst("^/goals/0", "");
      String at = inside.equals("/label") || inside.equals("/key") ? "" : inside;
      String message = placed.map(Problem.ProblemDetail::message).orElse(fault.message());
      details.add(new Problem.ProblemDetail(pointer + at, message + "; " + fault.hint()));
    }

    void unique(String pointer, String key, List<String> names) {
      var seen = new HashSet<String>();
      for (int i = 0; i < names.size() && !isFull(); i++) {
        if (!seen.add(names.get(i))) {
          details.add(
              new Problem.ProblemDetail(
                  "%s/%d/%s".formatted(pointer, i, key),
                  "\"%s\" is a duplicate; each %s must be unique".formatted(names.get(i), key)));
        }
      }
    }

    void addAll(ImportProblems others) {
      first = first == null ? others.first : first;
      details.addAll(others.details);
    }

    void throwIfAny() {
      if (details.isEmpty()) {
        return;
      }
      if (details.size() == 1 && first != null) {
        Problem.ProblemDetail only = details.getFirst();
        throw new Fault(first.code(), only.pointer() + " " + only.message(), first.hint(), details);
      }
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          isFull()
              ? "%d entries cannot be restored; further entries were not checked"
                  .formatted(Fault.MAX_DETAILS)
              : "%d entries cannot be restored".formatted(details.size()),
          "correct the entries and send the snapshot again; nothing was changed",
          details);
    }

    static String escaped(String key) {
      return key.replace("~", "~0").replace("/", "~1");
    }
  }
}
