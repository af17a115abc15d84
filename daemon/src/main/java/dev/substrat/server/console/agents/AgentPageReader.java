package dev.substrat.server.console.agents;

import dev.substrat.console.NumberFormatter;
import dev.substrat.console.PageFrame;
import dev.substrat.console.ReasonFormatter;
import dev.substrat.console.TextPreview;
import dev.substrat.console.agents.AgentCard;
import dev.substrat.console.agents.AgentPage;
import dev.substrat.console.agents.AgentPage.AgentPageHistory;
import dev.substrat.console.agents.AgentPage.AgentPageSections;
import dev.substrat.console.agents.AgentPage.MessageSummary;
import dev.substrat.console.agents.AgentPage.RelatedAgent;
import dev.substrat.console.agents.AgentPage.RunSummary;
import dev.substrat.console.agents.AgentPage.SkillSummary;
import dev.substrat.console.agents.AgentPage.TitledNote;
import dev.substrat.console.agents.AgentPage.TokenSummary;
import dev.substrat.console.agents.AgentPage.ToolOrigin;
import dev.substrat.console.agents.AgentPage.ToolSummary;
import dev.substrat.console.agents.ConnectionGuide;
import dev.substrat.memory.MemoryBlock;
import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.MessageHistory;
import dev.substrat.platform.identity.AccessTarget;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Scope;
import dev.substrat.protocol.DefaultDataDirectory;
import dev.substrat.schedule.Goals;
import dev.substrat.server.console.DisplayNames;
import dev.substrat.server.console.EventSentenceWriter;
import dev.substrat.server.console.messages.MessageReader;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventContent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.team.Skill;
import dev.substrat.team.SkillCategory;
import dev.substrat.tool.Tool;
import dev.substrat.tool.transcript.RunAccess;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.run.Run;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Reads the page of an agent. Content that needs another scope than the page itself is left out,
/// and the page says so.
///
/// `url` is the public address of the daemon.
public record AgentPageReader(Engine engine, Supplier<String> url) {
  private static final int RUNS = 8;

  /// Maximum length of the final text of a turn.
  private static final int SAID = 600;

  private static final int MESSAGES = 40;
  private static final int EVENTS = 60;
  private static final int TOKENS = 20;
  private static final int GOALS = 20;

  AgentPage of(Agent agent, PageFrame frame, CallerPermissions viewer) {
    AgentPageHistory past = past(agent, viewer);
    List<ToolSummary> tools = agent.isAlive() ? tools(agent) : List.of();
    List<TokenSummary> tokens = viewer.may(Scope.TOKENS_READ) ? tokens(agent) : List.of();
    Optional<String> noMemory = viewer.findHidden(Scope.MEMORY_READ, about(agent));
    Database database = engine.dependencies().database();
    return database.read(tx -> {
      AgentCard card = AgentList.find(tx, agent.id()).orElseThrow();
      return new AgentPage(
          frame,
          engine.dependencies().clock().instant(),
          card,
          parent(tx, agent),
          AgentTree.children(tx, agent.id()).stream().map(AgentPageReader::relative).toList(),
          agent.config().systemPrompt() == null ? "" : agent.config().systemPrompt(),
          isGated(tx, agent),
          agent.isExternal(),
          new AgentPageSections(
              skills(agent), tools, memory(tx, agent, noMemory), goals(tx, agent), tokens),
          past,
          ConnectionGuide.of(agent.handle(), agent.isExternal(), url.get(), data()),
          TerminationPreview.of(tx, agent));
    });
  }

  /// Data directory for the `--data` option, empty if it is the default.
  private String data() {
    Path data = engine.dependencies().outside().hidden().toAbsolutePath().normalize();
    return data.equals(DefaultDataDirectory.atHome(System.getenv())) ? "" : data.toString();
  }

  private static boolean isGated(Tx tx, Agent agent) {
    return tx.number("select gated as n from agent where id = ?", agent.id().value()) == 1;
  }

  private static @Nullable RelatedAgent parent(Tx tx, Agent agent) {
    return agent.parent() == null
        ? null
        : AgentTree.find(tx, agent.parent().value()).map(AgentPageReader::relative).orElse(null);
  }

  private static RelatedAgent relative(Agent agent) {
    return new RelatedAgent(called(agent), "/agents/" + agent.handle());
  }

  private static List<SkillSummary> skills(Agent agent) {
    List<Skill> active = agent.config().activeSkills();
    return agent.config().skillsOrNone().stream()
        .map(skill ->
            new SkillSummary(
                skill.name(),
                skill.text(),
                skill.category() == null ? "" : skill.category(),
                hue(agent, skill),
                active.contains(skill)))
        .toList();
  }

  private static String hue(Agent agent, Skill skill) {
    return agent.config().categoriesOrNone().stream()
        .filter(category -> category.name().equals(skill.category()))
        .map(SkillCategory::colour)
        .filter(colour -> colour != null)
        .findFirst()
        .orElse("stone");
  }

  private List<ToolSummary> tools(Agent agent) {
    return engine.pipeline().of(agent).stream()
        .map(tool -> tool(agent, tool))
        .sorted(Comparator.comparing(ToolSummary::origin))
        .toList();
  }

  private ToolSummary tool(Agent agent, Tool tool) {
    boolean isBuiltIn = engine.pipeline().builtIn().contains(tool.name());
    boolean isOwn =
        agent.config().toolsOrNone().stream().anyMatch(one -> one.name().equals(tool.name()));
    return new ToolSummary(
        tool.name(),
        ReasonFormatter.first(tool.description()),
        isBuiltIn ? ToolOrigin.BUILT_IN : isOwn ? ToolOrigin.OWN : ToolOrigin.REMOTE);
  }

  private static List<TitledNote> memory(Tx tx, Agent agent, Optional<String> hidden) {
    return MemoryBlock.all(tx, agent.id()).stream()
        .map(block ->
            new TitledNote(
                block.label(),
                hidden.map(EventSentenceWriter::hidden).orElse(block.content()),
                "version " + block.version()))
        .toList();
  }

  private static List<TitledNote> goals(Tx tx, Agent agent) {
    return Goals.active(tx, agent.id(), GOALS).stream()
        .map(goal -> new TitledNote(goal.description(), "", goal.priority() + ", " + goal.status()))
        .toList();
  }

  private List<TokenSummary> tokens(Agent agent) {
    var owner = new Principal.AgentPrincipal(agent.id());
    return engine.credentials().held(owner, TOKENS).stream()
        .map(one -> new TokenSummary(one.id().value(), one.label(), one.createdAt()))
        .toList();
  }

  private static AccessTarget about(Agent agent) {
    return AccessTarget.ofAgent(agent.id().value());
  }

  private AgentPageHistory past(Agent agent, CallerPermissions viewer) {
    Optional<String> noRuns = RunAccess.findHidden(viewer, agent.id());
    Optional<String> noMail = viewer.findHidden(Scope.MESSAGES_READ, about(agent));
    var runs =
        engine.runs().newest(agent.id(), RUNS).stream().map(run -> run(run, noRuns)).toList();
    var events = engine.events().newest(agent.id().value(), EVENTS);
    return new AgentPageHistory(
        runs, messages(agent, noMail), EventSentenceWriter.all(EventContent.shown(events, viewer)));
  }

  private static RunSummary run(Run run, Optional<String> hidden) {
    String said = run.response() == null ? "" : run.response();
    String tone =
        switch (run.status()) {
          case "done" -> "good";
          case "running" -> "busy";
          case "failed" -> "bad";
          default -> "";
        };
    return new RunSummary(
        run.id(),
        run.turn(),
        run.status(),
        tone,
        run.startedAt(),
        run.endedAt() == null
            ? ""
            : NumberFormatter.time(Duration.between(run.startedAt(), run.endedAt())),
        run.stopReason() == null ? "" : run.stopReason(),
        TextPreview.of(
            said.isEmpty() ? "" : hidden.map(EventSentenceWriter::hidden).orElse(said), SAID),
        run.finishedWithoutPosting());
  }

  /// Messages of the agent, oldest first.
  private List<MessageSummary> messages(Agent agent, Optional<String> hidden) {
    List<Message> mail = engine.messages().history().of(agent.id(), MESSAGES);
    return engine.read(tx -> mail.stream().map(message -> line(tx, message, hidden)).toList());
  }

  private static MessageSummary line(Tx tx, Message message, Optional<String> hidden) {
    return new MessageSummary(
        message.id().value(),
        name(tx, message.sender()),
        name(tx, message.recipient()),
        TextPreview.of(
            hidden.map(EventSentenceWriter::hidden).orElse(message.text()),
            MessageHistory.BEGINNING),
        message.sentAt(),
        message.status().toString(),
        trouble(message),
        message.sender().equals(Principal.OPERATOR_NAME),
        MessageReader.isUnread(message));
  }

  private static String trouble(Message message) {
    if (message.deadReason() != null) {
      return "Not delivered: " + message.deadReason();
    }
    return message.heldReason() == null ? "" : "Held: " + message.heldReason();
  }

  private static String name(Tx tx, String principal) {
    return principal.equals(Principal.OPERATOR_NAME)
        ? principal
        : AgentTree.find(tx, principal).map(AgentPageReader::called).orElse(principal);
  }

  private static String called(Agent agent) {
    return DisplayNames.displayName(agent.name(), agent.handle());
  }
}
