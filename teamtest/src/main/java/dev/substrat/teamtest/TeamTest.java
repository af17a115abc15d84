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

/// A team under test: a whole daemon in this process, on an empty database, with time that stands
/// still until the test moves it.
///
/// Nothing runs by itself. The test sends mail, then lets the team run with [#runToRest], [#pass]
/// or [#runUntilDone]; when that returns, the team rests and can be looked at. The daemon's doors
/// are open all the while, so that agents whose mind is elsewhere can take part over MCP.
///
/// Meant for the one thread of a test; the team's agents have their own.
public final class TeamTest implements AutoCloseable {
  private final ScratchDirectory scratch;
  private final ManualTime time;
  private final Daemon daemon;
  private final Engine engine;
  private final AgentDeclarations declaration;
  private final RecordReader records;
  private final SpaceReader rooms;
  private final IdleWait rest;
  private final String operatorToken;

  private TeamTest(
      TeamTestOptions setup, ScratchDirectory scratch, ManualTime time, Daemon daemon) {
    this.scratch = scratch;
    this.time = time;
    this.daemon = daemon;
    this.engine = daemon.engine();
    this.rooms = new SpaceReader(engine);
    this.declaration = new AgentDeclarations(engine, rooms, setup.chaos);
    var chronicle = new EventHistory(engine.events());
    this.records = new RecordReader(engine);
    this.rest = new IdleWait(engine, daemon.slots(), time, chronicle, setup);
    this.operatorToken = engine.credentials().mint(new Principal.Operator(), "team test").text();
  }

  /// An empty team on an embedded database, one slot, noon.
  public static TeamTest start() {
    return with().start();
  }

  /// Chooses something about the test before it starts.
  public static TeamTestOptions with() {
    return new TeamTestOptions();
  }

  static TeamTest start(TeamTestOptions setup) {
    LogVolume.turnDown();
    var scratch = ScratchDirectory.fresh();
    try {
      return start(setup, scratch, new ManualTime(setup.start));
    } catch (RuntimeException e) {
      scratch.close();
      throw e;
    }
  }

  private static TeamTest start(TeamTestOptions setup, ScratchDirectory scratch, ManualTime time) {
    var settings =
        new DaemonSettings(
            "127.0.0.1", 0, scratch.directory(), setup.database, setup.slots, "error", Set.of());
    var daemon = Daemon.start(settings, Map.of(), new Daemon.Time(time, time));
    try {
      return new TeamTest(setup, scratch, time, daemon);
    } catch (RuntimeException e) {
      daemon.close();
      throw e;
    }
  }

  /// Creates a team from YAML: `agents`, each with its `children`, and the `spaces` they talk in.
  public void apply(String yaml) {
    declaration.apply(yaml);
  }

  /// Creates one agent from YAML and returns its handle.
  public String agent(String yaml) {
    return declaration.agent(yaml).handle();
  }

  /// Creates a space from YAML, as the operator, and returns its id. Members who are no agents are
  /// people, and let in.
  public String space(String yaml) {
    return declaration.space(yaml);
  }

  /// Says something in a space, as the `operator` or as a person, who is let in if need be.
  public SpacePost post(String who, String space, String text) {
    return rooms.post(who, space, text, null);
  }

  /// The same in reply to what was said there.
  public SpacePost post(String who, SpacePost parent, String text) {
    return rooms.post(who, parent.space(), text, parent);
  }

  /// Everything that was said in a space, oldest first.
  public List<SpacePost> said(String space) {
    return rooms.history(space);
  }

  /// Asks an agent something, as the operator; see [#answer].
  public SentMessage ask(String agent, String text) {
    return write(agent, new Messages.Note(text, true, null));
  }

  /// Tells an agent something, as the operator. If it has asked the operator, this is the answer.
  public SentMessage tell(String agent, String text) {
    return write(agent, new Messages.Note(text, false, null));
  }

  private SentMessage write(String agent, Messages.Note note) {
    return records.letter(engine.messages().fromOperator(agent, note, null));
  }

  /// Lets the team run until nothing can happen without time passing.
  public void runToRest() {
    rest.reach();
  }

  /// Lets time pass, from one thing that is due to the next, and the team run whenever there is
  /// something: deadlines, reminders, further attempts, agents that sleep.
  public void pass(Duration passing) {
    rest.after(passing);
  }

  /// Lets the team run, and time pass for it, until nothing will happen any more by itself.
  public void runUntilDone() {
    rest.forGood();
  }

  /// What the team thinks the time is.
  public Instant now() {
    return time.instant();
  }

  /// The answer to a question; it is an error if there is none.
  public String answer(SentMessage question) {
    return engine
        .messages()
        .findReply(new MessageId(question.id()))
        .orElseThrow(() -> unanswered(letter(question.id())))
        .text();
  }

  private static AssertionError unanswered(SentMessage question) {
    return new AssertionError(
        "no answer: %s is %s. %s"
            .formatted(
                question,
                question.status(),
                question.status().equals("expired") || question.status().equals("dead")
                    ? "There will be none."
                    : "Did the team run? If somebody waits for time, let it pass."));
  }

  /// A message as it is now.
  public SentMessage letter(String id) {
    return records.letter(new MessageId(id));
  }

  /// All mail, in the order in which it was sent.
  public List<SentMessage> mail() {
    return records.mail();
  }

  /// Mail from and to an agent, or the `operator`, in the order in which it was sent.
  public List<SentMessage> mail(String who) {
    String handle = who.equals(Principal.OPERATOR_NAME) ? who : find(who).handle();
    return mail().stream()
        .filter(letter -> letter.from().equals(handle) || letter.to().equals(handle))
        .toList();
  }

  /// What the guards against circles hold back.
  public List<SentMessage> held() {
    return engine.messages().held(1_000).stream().map(records::letter).toList();
  }

  /// Lets a held message wake its recipient after all.
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

  /// An agent by its handle, also one that has ended.
  private Agent find(String agent) {
    return engine.agents().find(agent).orElseGet(() -> engine.agents().require(agent));
  }

  /// The tool calls of an agent in all its turns, oldest first.
  public List<RecordedCall> calls(String agent) {
    return turns(agent).stream().flatMap(turn -> turn.calls().stream()).toList();
  }

  /// The lines of a turn's record as the API shows them: calls, returns, what was said.
  public List<Transcript.Line> record(RecordedTurn turn) {
    return records.lines(turn.run());
  }

  /// Where the daemon listens.
  public String url() {
    return daemon.url();
  }

  /// A fresh token of an agent's, for its mind elsewhere.
  public String token(String agent) {
    Agent known = engine.agents().require(agent);
    return engine.credentials().mint(new Principal.OfAgent(known.id()), "team test").text();
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
