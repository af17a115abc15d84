package dev.substrat.teamtest;

import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.server.Daemon;
import dev.substrat.team.Agent;
import dev.substrat.tool.transcript.Transcript;
import dev.substrat.turn.engine.Engine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A team under test: a real daemon in this process, on an empty database, with a manual clock.
///
/// No turn runs by itself. The test sends messages, then runs the team with [#runToRest], [#pass]
/// or [#runUntilDone]; when that returns, the team is idle and can be inspected. The daemon serves
/// HTTP all the time, so external agents can take part over MCP.
///
/// For use by one thread; the team's agents have threads of their own.
public final class TeamTest implements AutoCloseable {
  private final ScratchDirectory scratch;
  private final ManualClock time;
  private final Daemon daemon;
  private final Engine engine;
  private final TeamFileLoader declaration;
  private final RecordReader records;
  private final SpaceReader spaces;
  private final IdleWait idle;
  private final String operatorToken;

  private TeamTest(
      TeamTestOptions setup, ScratchDirectory scratch, ManualClock time, Daemon daemon) {
    this.scratch = scratch;
    this.time = time;
    this.daemon = daemon;
    this.engine = daemon.engine();
    this.spaces = new SpaceReader(engine);
    this.declaration = new TeamFileLoader(engine, spaces, setup.chaos);
    var history = new EventHistory(engine.events());
    this.records = new RecordReader(engine);
    this.idle = new IdleWait(engine, daemon.slots(), time, history, setup);
    this.operatorToken =
        engine.credentials().mint(new Principal.OperatorPrincipal(), "team test").text();
  }

  /// An empty team on an embedded database, with one slot, at noon.
  public static TeamTest start() {
    return with().start();
  }

  /// Options of a test that is not started yet.
  public static TeamTestOptions with() {
    return new TeamTestOptions();
  }

  static TeamTest start(TeamTestOptions setup) {
    TestLogLevel.turnDown();
    var scratch = ScratchDirectory.fresh();
    try {
      return start(setup, scratch, new ManualClock(setup.start));
    } catch (RuntimeException e) {
      scratch.close();
      throw e;
    }
  }

  private static TeamTest start(TeamTestOptions setup, ScratchDirectory scratch, ManualClock time) {
    var settings =
        new DaemonSettings(
            "127.0.0.1", 0, scratch.directory(), setup.database, setup.slots, "error", Set.of());
    var daemon = Daemon.start(settings, Map.of(), new Daemon.DaemonClock(time, time));
    try {
      return new TeamTest(setup, scratch, time, daemon);
    } catch (RuntimeException e) {
      daemon.close();
      throw e;
    }
  }

  /// Creates a team from YAML: `agents`, each with its `children`, and `spaces`.
  public void apply(String yaml) {
    declaration.apply(yaml);
  }

  /// Creates one agent from YAML and returns its handle.
  public String agent(String yaml) {
    return declaration.agent(yaml).handle();
  }

  /// Creates a space from YAML, as the operator, and returns its id. Members that are not agents
  /// are created as people.
  public String space(String yaml) {
    return declaration.space(yaml);
  }

  /// Posts in a space, as the `operator` or as a person, who is created if missing.
  public SpacePost post(String who, String space, String text) {
    return spaces.post(who, space, text, null);
  }

  /// Posts a reply to a message in a space.
  public SpacePost post(String who, SpacePost parent, String text) {
    return spaces.post(who, parent.space(), text, parent);
  }

  /// All messages of a space, oldest first.
  public List<SpacePost> posts(String space) {
    return spaces.history(space);
  }

  /// Sends a question to an agent, as the operator; see [#answer].
  public SentMessage ask(String agent, String text) {
    return send(agent, new Messages.PersonMessage(text, true, null));
  }

  /// Sends a message that wants no answer, as the operator. If the agent waits for the operator, it
  /// is the answer.
  public SentMessage tell(String agent, String text) {
    return send(agent, new Messages.PersonMessage(text, false, null));
  }

  private SentMessage send(String agent, Messages.PersonMessage note) {
    return records.message(engine.messages().fromOperator(agent, note, null));
  }

  /// Runs the team until nothing can happen before the clock advances.
  public void runToRest() {
    idle.reach();
  }

  /// Advances the clock from one due time to the next (deadlines, reminders, plans, retries,
  /// sleeping agents) and runs the team at each.
  public void pass(Duration passing) {
    idle.after(passing);
  }

  /// Runs the team and advances the clock until nothing is due any more.
  public void runUntilDone() {
    idle.forGood();
  }

  /// The time on the team's clock.
  public Instant now() {
    return time.instant();
  }

  /// The answer to a question. Throws an `AssertionError` if there is none.
  public String answer(SentMessage question) {
    return engine
        .messages()
        .findReply(new MessageId(question.id()))
        .orElseThrow(() -> unanswered(message(question.id())))
        .text();
  }

  private static AssertionError unanswered(SentMessage question) {
    return new AssertionError(
        "no answer: %s is %s. %s"
            .formatted(
                question,
                question.status(),
                question.status().equals("expired") || question.status().equals("dead")
                    ? "No answer will follow."
                    : "Did the team run? If an agent waits until a time, call pass(duration)."));
  }

  /// A message with its current status.
  public SentMessage message(String id) {
    return records.message(new MessageId(id));
  }

  /// All messages, in the order in which they were sent.
  public List<SentMessage> messages() {
    return records.messages();
  }

  /// Messages from and to an agent, or the `operator`, in the order in which they were sent.
  public List<SentMessage> messages(String who) {
    String handle = who.equals(Principal.OPERATOR_NAME) ? who : find(who).handle();
    return messages().stream()
        .filter(message -> message.from().equals(handle) || message.to().equals(handle))
        .toList();
  }

  /// Messages held by the loop guards.
  public List<SentMessage> held() {
    return engine.messages().held(1_000).stream().map(records::message).toList();
  }

  /// Releases a held message, so that it wakes its recipient.
  public void release(SentMessage held) {
    engine.messages().release(new MessageId(held.id()));
  }

  /// All turns, oldest first.
  public List<RecordedTurn> turns() {
    return records.turns(null);
  }

  public List<RecordedTurn> turns(String agent) {
    return records.turns(find(agent).id());
  }

  /// An agent by its handle, also a terminated one.
  private Agent find(String agent) {
    return engine.agents().find(agent).orElseGet(() -> engine.agents().require(agent));
  }

  /// The tool calls of an agent in all its turns, oldest first.
  public List<RecordedCall> calls(String agent) {
    return turns(agent).stream().flatMap(turn -> turn.calls().stream()).toList();
  }

  /// The lines of a run as the API shows them: calls, results, texts.
  public List<Transcript.TranscriptLine> record(RecordedTurn turn) {
    return records.lines(turn.run());
  }

  /// The daemon's address.
  public String url() {
    return daemon.url();
  }

  /// A new token of an external agent.
  public String token(String agent) {
    Agent known = engine.agents().require(agent);
    return engine.credentials().mint(new Principal.AgentPrincipal(known.id()), "team test").text();
  }

  public String operatorToken() {
    return operatorToken;
  }

  @Override
  public void close() {
    time.end();
    daemon.close();
    scratch.close();
  }
}
