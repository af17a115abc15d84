package dev.substrat.mcp.client.transport;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.client.McpRequest;
import dev.substrat.mcp.client.NegotiatedProtocol;
import dev.substrat.mcp.client.PendingResponses;
import dev.substrat.mcp.client.RemoteDeadline;
import dev.substrat.mcp.client.RemoteFailure;
import dev.substrat.mcp.client.RemoteFailure.FailureReason;
import dev.substrat.mcp.client.ServerAddress;
import dev.substrat.mcp.client.ServerMessages;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.ProcessOutput;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.protocol.ByteSizeFormatter;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Consumer;

/// Transport to a program on this machine over stdin and stdout, one message per line.
///
/// Safe for many threads: one thread reads, callers write and wait in [PendingResponses].
public final class StdioTransport implements McpTransport {
  /// Some programs print other lines, too; a program with more than this is not a server.
  private static final int MAX_INVALID_LINES = 100;

  private static final Duration GOODBYE = Duration.ofSeconds(1);

  private final ChildProcess child;
  private final Sandbox sandbox;
  private final boolean hasNetwork;
  private final Consumer<JsonNode> heard;
  private final PendingResponses answers = new PendingResponses();
  private final Thread reader;
  private volatile boolean isModern;
  private volatile boolean hasAnswered;

  private StdioTransport(
      ChildProcess child, Sandbox sandbox, boolean hasNetwork, Consumer<JsonNode> heard) {
    this.child = child;
    this.sandbox = sandbox;
    this.hasNetwork = hasNetwork;
    this.heard = heard;
    this.reader = Thread.ofVirtual().name("mcp stdio reader").start(this::read);
  }

  /// Starts the program, in a sandbox if one is available: then it can read the files of this
  /// machine and change none.
  public static StdioTransport start(
      ServerAddress.ProgramAddress program, Sandbox sandbox, Consumer<JsonNode> heard) {
    var launch =
        new ChildProcess.LaunchParameters(
            program.command(),
            program.directory(),
            program.environment(),
            program.redact(),
            ServerMessages.MAX_LENGTH);
    try {
      for (Path own : program.access().own()) {
        sandbox.handOverOnce(own);
      }
      var policy = StdioSandbox.around(program, sandbox.user());
      var child = ChildProcess.start(sandbox.launch(launch, policy));
      return new StdioTransport(child, sandbox, program.access().hasNetwork(), heard);
    } catch (IOException e) {
      throw RemoteFailure.because(FailureReason.UNREACHABLE, "cannot start the program", e);
    } catch (Fault fault) {
      String why = "%s: %s; %s".formatted(fault.code(), fault.message(), fault.hint());
      throw RemoteFailure.because(FailureReason.UNREACHABLE, why, fault);
    }
  }

  private void read() {
    try {
      int garbage = 0;
      while (true) {
        switch (child.take()) {
          case ProcessOutput.OutputLine line -> {
            if (!take(line.text()) && ++garbage > MAX_INVALID_LINES) {
              end(RemoteFailure.protocol("the program prints lines that are not MCP messages"));
              child.close();
              return;
            }
          }
          case ProcessOutput.OversizedLine long_ -> {
            end(
                RemoteFailure.because(
                    FailureReason.TOO_LARGE,
                    "the program printed more than "
                        + ByteSizeFormatter.words(long_.limit())
                        + " in one line"));
            child.close();
            return;
          }
          case ProcessOutput.EndOfOutput _ -> {
            end(RemoteFailure.because(FailureReason.CLOSED, "the program has ended" + lastWords()));
            return;
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      end(RemoteFailure.because(FailureReason.CLOSED, "the connection to the program was closed"));
    }
  }

  /// False if the line is not a message.
  private boolean take(String line) {
    if (line.isBlank()) {
      return true;
    }
    try {
      JsonNode message = ServerMessages.parse(line.getBytes(UTF_8));
      if (!message.isObject()) {
        return false;
      }
      if (!answers.take(message)) {
        heard.accept(message);
      }
      return true;
    } catch (RemoteFailure e) {
      return false;
    }
  }

  private String lastWords() throws InterruptedException {
    OptionalInt code = child.exit(GOODBYE);
    String words = child.lastWords();
    return (code.isPresent() ? " with exit code " + code.getAsInt() : "")
        + limitReached(code, words)
        + (words.isBlank() ? "" : ": " + words);
  }

  private String limitReached(OptionalInt code, String words) {
    return sandbox.limitReached(child, code, words).map(limit -> " (" + limit + ")").orElse("");
  }

  private void end(RemoteFailure failure) {
    answers.end(failure);
  }

  @Override
  public ObjectNode ask(McpRequest ask, RemoteDeadline deadline) throws InterruptedException {
    try {
      ObjectNode answer = answers.await(ask.id(), () -> send(ask.message()), deadline);
      hasAnswered = true;
      return answer;
    } catch (RemoteFailure failure) {
      throw failure.reason() == FailureReason.TIMED_OUT && !hasAnswered ? silent(failure) : failure;
    }
  }

  /// A program that never wrote a message is still starting or has failed; its stderr usually has
  /// the reason.
  private RemoteFailure silent(RemoteFailure failure) {
    String errors = child.errorsSoFar();
    return RemoteFailure.because(
        FailureReason.TIMED_OUT,
        "the program started but did not answer in time"
            + (errors.isBlank() ? "; it wrote nothing to stderr" : ": " + errors)
            + (hasNetwork ? "" : " (it has no network)"),
        failure);
  }

  private void send(ObjectNode message) {
    if (!child.send(Json.bytes(message))) {
      throw RemoteFailure.because(FailureReason.CLOSED, "the program does not read its input");
    }
  }

  @Override
  public void sendNotification(ObjectNode message, RemoteDeadline deadline) {
    answers.requireOpen();
    send(message);
  }

  @Override
  public void agreed(NegotiatedProtocol accord) {
    isModern = accord.isModern();
  }

  /// All messages arrive on one stream; in the modern era notifications need a subscription.
  @Override
  public boolean listen(McpRequest ask) {
    if (isModern) {
      send(ask.message());
    }
    return false;
  }

  @Override
  public boolean cancelsByLeaving() {
    return false;
  }

  @Override
  public boolean isOpen() {
    return answers.isOpen();
  }

  /// Gives the program a moment to exit by itself.
  @Override
  public void close() {
    end(RemoteFailure.because(FailureReason.CLOSED, "the program was stopped"));
    reader.interrupt();
    child.endInput();
    try {
      child.exit(GOODBYE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      child.close();
    }
  }
}
