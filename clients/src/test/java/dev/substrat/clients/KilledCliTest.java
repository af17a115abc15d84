package dev.substrat.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.substrat.testkit.Requirement;
import dev.substrat.testkit.llm.DefaultModelScript;
import dev.substrat.testkit.llm.ModelPrompt;
import dev.substrat.testkit.llm.ScriptedAnswer;
import dev.substrat.testkit.llm.ScriptedLlm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A daemon that is killed while an agent CLI runs a turn.
@Timeout(300)
final class KilledCliTest {
  @TempDir private Path data;

  /// The model hangs once, after it got a tool result; at that moment the daemon is killed.
  @ParameterizedTest
  @EnumSource(RealCli.class)
  @Requirement({"N1", "S0-34"})
  void the_turn_is_retried_and_no_call_is_executed_twice(RealCli cli) throws Exception {
    var hasHung = new AtomicBoolean();
    var hangs = new CountDownLatch(1);
    var usual = new DefaultModelScript();
    try (var llm =
        ScriptedLlm.start(asked -> {
          if (!asked.newResults().isEmpty() && hasHung.compareAndSet(false, true)) {
            hangs.countDown();
            return new ScriptedAnswer.NoAnswer();
          }
          return usual.answer(asked);
        })) {
      String question;
      try (var daemon = KillableDaemon.start(data)) {
        daemon.create("{name: mira, provider: {name: external}}");
        daemon.create("{name: bob, parent: mira, provider: {name: external}}");
        String provider = cli.provider("").replace("{{llm}}", llm.openAiUrl());
        daemon.create("name: ada\nparent: mira\n" + provider);
        question = daemon.ask("ada", "[tool] greet bob");
        hangs.await();
        assertThat(daemon.processes()).as("running").isNotEmpty();
      }
      try (var daemon = KillableDaemon.start(data)) {
        JsonNode answer = daemon.answer(question);
        assertThat(answer.path("text").asText())
            .as("the conversation continues")
            .contains("FINAL userTurns=2");
        assertThat(daemon.mailOf("bob")).as("greeted once").hasSize(1);
        assertThat(daemon.processes()).as("processes of the first attempt").isEmpty();
      }
    }
  }

  /// The tool hangs once; the daemon is killed while the CLI waits for the result.
  @ParameterizedTest
  @EnumSource(RealCli.class)
  @Requirement({"N1", "S0-34"})
  void a_cli_that_waited_for_a_tool_resumes_its_conversation(RealCli cli) throws Exception {
    var heard = new CopyOnWriteArrayList<ModelPrompt>();
    var usual = new DefaultModelScript();
    try (var winch = new HangingService();
        var llm =
            ScriptedLlm.start(asked -> {
              heard.add(asked);
              return usual.answer(asked);
            })) {
      String question;
      try (var daemon = KillableDaemon.start(data)) {
        String provider = cli.provider("").replace("{{llm}}", llm.openAiUrl());
        daemon.create(
            """
            name: ada
            tools:
              - name: weigh
                description: Weighs the anchor.
                inputSchema: { type: object, properties: {} }
                executionType: internal
                execution: { url: '%s', timeout: 120000 }
            %s
            """
                .formatted(winch.url(), provider));
        question = daemon.ask("ada", "[tool weigh {}]");
        winch.awaitCall();
        assertThat(daemon.processes()).as("running").isNotEmpty();
      }
      try (var daemon = KillableDaemon.start(data)) {
        assertThat(daemon.answer(question).path("text").asText()).contains("anchor up");
        // Some CLIs merge two user messages into one if there is no answer in between.
        assertThat(questions(heard.getLast()))
            .as("the earlier question is in its history")
            .isEqualTo(2 * questions(heard.getFirst()));
        assertThat(daemon.processes()).as("processes of the first attempt").isEmpty();
      }
    }
  }

  private static int questions(ModelPrompt asked) {
    String said =
        asked.messages().stream()
            .filter(message -> message.role() == ModelPrompt.MessageRole.USER)
            .map(ModelPrompt.PromptMessage::text)
            .collect(Collectors.joining("\n"));
    return said.split(Pattern.quote("[tool weigh"), -1).length - 1;
  }

  /// HTTP service that never answers its first request.
  private static final class HangingService implements AutoCloseable {
    private final CountDownLatch isCalled = new CountDownLatch(1);
    private final CountDownLatch isOver = new CountDownLatch(1);
    private final AtomicBoolean hasHung = new AtomicBoolean();
    private final HttpServer server;

    HangingService() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(Thread::startVirtualThread);
      server.createContext("/", this::answer);
      server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
      if (hasHung.compareAndSet(false, true)) {
        isCalled.countDown();
        try {
          isOver.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        return;
      }
      byte[] body = "{\"state\":\"anchor up\"}".getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, body.length);
      try (var out = exchange.getResponseBody()) {
        out.write(body);
      }
    }

    String url() {
      return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    void awaitCall() throws InterruptedException {
      isCalled.await();
    }

    @Override
    public void close() {
      isOver.countDown();
      server.stop(0);
    }
  }
}
