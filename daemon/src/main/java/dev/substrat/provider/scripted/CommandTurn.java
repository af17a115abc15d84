package dev.substrat.provider.scripted;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.LaunchParameters;
import dev.substrat.platform.process.ChildProcess.ProcessOutput;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.platform.sandbox.SandboxPolicy;
import dev.substrat.protocol.ByteSizeFormatter;
import dev.substrat.protocol.Fault;
import dev.substrat.provider.Provider.TurnOutcome;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.prompt.Prompt;
import dev.substrat.team.Agent;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.tool.ToolResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/// Runs a turn with a program: one process that gets its events in one line and answers in lines.
/// Each of its calls is a step; its last line is `done` or `error`.
record CommandTurn(
    ProviderTurn turn, ChildProcess child, UnaryOperator<String> redact, CommandSandbox confined) {

  /// Time for the program to exit after its last line; then it is killed.
  private static final Duration EXIT_TIMEOUT = Duration.ofSeconds(2);

  private static final int MAX_QUOTE_LENGTH = 120;

  /// The sandbox that the program is started in.
  record CommandSandbox(Sandbox sandbox, SandboxPolicy policy) {
    static final CommandSandbox NOT =
        new CommandSandbox(Sandbox.none("not configured"), SandboxPolicy.NONE);

    private LaunchParameters launch(LaunchParameters launch) {
      return sandbox.launch(launch, policy);
    }

    private String limitReached(ChildProcess child, OptionalInt code, String output) {
      return policy.strength() == SandboxPolicy.SandboxLevel.OFF
          ? ""
          : sandbox.limitReached(child, code, output).map(limit -> "; " + limit).orElse("");
    }
  }

  static TurnOutcome run(
      ProviderTurn turn, ScriptCommand command, Optional<String> mcp, CommandSandbox confined)
      throws InterruptedException {
    var environment = new HashMap<String, String>();
    environment.put("SUBSTRAT_AGENT", turn.agent().id().value());
    UnaryOperator<String> redact = UnaryOperator.identity();
    if (mcp.isPresent()) {
      String token = turn.credential().text();
      environment.put("SUBSTRAT_MCP_URL", mcp.get());
      environment.put("SUBSTRAT_TOKEN", token);
      redact = text -> text.replace(token, "[the turn's token]");
    }
    var launch = new LaunchParameters(command.words(), command.directory(), environment, redact);
    try (var child = ChildProcess.start(confined.launch(launch))) {
      return new CommandTurn(turn, child, redact, confined).converse();
    } catch (IOException e) {
      return new TurnOutcome.TurnFailed("cannot start the script: " + e.getMessage());
    }
  }

  private TurnOutcome converse() throws InterruptedException {
    // All events, because the program reads them in one line. Oldest last: calls are numbered from
    // the event that was shown last, and a retried turn contains the oldest again.
    turn.events().reversed().forEach(turn::show);
    child.send(Json.bytes(turnLine()));
    while (true) {
      Optional<TurnOutcome> outcome =
          switch (child.take()) {
            case ProcessOutput.OutputLine line -> handleLine(line);
            case ProcessOutput.OversizedLine line -> Optional.of(tooLong(line));
            case ProcessOutput.EndOfOutput _ -> Optional.of(endedEarly());
          };
      if (outcome.isPresent()) {
        return outcome.get();
      }
    }
  }

  /// More keys may be added later: programs ignore unknown keys.
  private ObjectNode turnLine() {
    Agent agent = turn.agent();
    var line = Json.object().put("type", "turn");
    line.putObject("agent")
        .put("id", agent.id().value())
        .put("name", agent.name())
        .put("handle", agent.handle())
        .put("role", agent.role());
    var events = line.putArray("events");
    turn.events().stream().map(InboxEvent::payload).forEach(events::add);
    turn.subject().ifPresent(subject -> line.set("subject", subject));
    Prompt prompt = turn.prompt();
    line.putObject("prompt").put("system", prompt.system()).put("turn", prompt.turn());
    return line;
  }

  /// The outcome of the turn, if this line ends it.
  private Optional<TurnOutcome> handleLine(ProcessOutput.OutputLine line)
      throws InterruptedException {
    if (line.text().isBlank()) {
      return Optional.empty();
    }
    JsonNode json;
    try {
      json = Json.parse(line.text().getBytes(StandardCharsets.UTF_8));
    } catch (Fault fault) {
      return Optional.of(wrong(line, "is " + fault.message()));
    }
    return switch (json.path("type").asText()) {
      case "call" -> call(line, json);
      case "done" -> Optional.of(finish(json.path("response").asText("")));
      case "error" ->
          Optional.of(
              new TurnOutcome.TurnFailed(json.path("message").asText("the script gave up")));
      default -> Optional.of(wrong(line, "has a type other than call, done or error"));
    };
  }

  private Optional<TurnOutcome> call(ProcessOutput.OutputLine line, JsonNode json) {
    JsonNode arguments = json.path("args");
    boolean isCall =
        json.path("tool").isTextual()
            && json.path("id").isValueNode()
            && (arguments.isObject() || arguments.isMissingNode());
    if (!isCall) {
      return Optional.of(wrong(line, "is a call without id, tool (string) or args (object)"));
    }
    turn.beginStep();
    ToolPipeline.ResultWithUnread answer =
        turn.call(
            json.path("tool").asText(),
            arguments instanceof ObjectNode object ? object : Json.object());
    return child.send(Json.bytes(result(json.path("id"), answer)))
        ? Optional.empty()
        : Optional.of(
            new TurnOutcome.TurnFailed("the script does not read the results of its calls"));
  }

  private static ObjectNode result(JsonNode id, ToolPipeline.ResultWithUnread answer) {
    var result = Json.object().put("type", "result");
    result.set("id", id);
    switch (answer.reply()) {
      case ToolResult.Failed failed -> result.set("error", failed.json());
      case ToolResult.Done _, ToolResult.Pending _ -> {
        result.set("data", answer.reply().json());
        if (answer.reply().hint() != null) {
          result.put("hint", answer.reply().hint());
        }
      }
    }
    if (!answer.unread().isEmpty()) {
      result.set("inbox", answer.unread().json());
    }
    return result;
  }

  /// `done` counts only if the program then exits with code 0 and writes nothing else.
  private TurnOutcome finish(String response) throws InterruptedException {
    turn.beginStep();
    child.endInput();
    long end = System.nanoTime() + EXIT_TIMEOUT.toNanos();
    while (true) {
      Optional<ProcessOutput> more =
          child.take(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
      switch (more.orElse(null)) {
        case null -> {
          return new TurnOutcome.TurnFinished(response);
        }
        case ProcessOutput.OutputLine line -> {
          if (!line.text().isBlank()) {
            return wrong(line, "comes after done");
          }
        }
        case ProcessOutput.OversizedLine line -> {
          return tooLong(line);
        }
        case ProcessOutput.EndOfOutput _ -> {
          OptionalInt code = child.exit(EXIT_TIMEOUT);
          return code.isPresent() && code.getAsInt() != 0
              ? failed("the script exited with code " + code.getAsInt() + " after done", code)
              : new TurnOutcome.TurnFinished(response);
        }
      }
    }
  }

  private TurnOutcome endedEarly() throws InterruptedException {
    OptionalInt code = child.exit(EXIT_TIMEOUT);
    return failed(
        code.isPresent()
            ? "the script exited with code " + code.getAsInt() + " without done"
            : "the script closed its output without done",
        code);
  }

  private TurnOutcome failed(String what, OptionalInt code) throws InterruptedException {
    String words = child.lastWords();
    String all = what + confined.limitReached(child, code, words);
    return new TurnOutcome.TurnFailed(words.isEmpty() ? all : all + "; stderr: " + words);
  }

  private static TurnOutcome tooLong(ProcessOutput.OversizedLine line) {
    return new TurnOutcome.TurnFailed(
        "line %d of the script is longer than %s"
            .formatted(line.number(), ByteSizeFormatter.words(line.limit())));
  }

  private TurnOutcome wrong(ProcessOutput.OutputLine line, String what) {
    String text = redact.apply(line.text()).strip();
    String quote =
        text.length() <= MAX_QUOTE_LENGTH ? text : text.substring(0, MAX_QUOTE_LENGTH) + "…";
    return new TurnOutcome.TurnFailed(
        "line %d of the script %s: %s".formatted(line.number(), what, quote));
  }
}
