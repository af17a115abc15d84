package dev.substrat.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.testkit.Requirement;
import dev.substrat.testkit.llm.Answer;
import dev.substrat.testkit.llm.ScriptedLlm;
import dev.substrat.testkit.llm.ToolOrFinal;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A daemon that is killed while a CLI thinks for one of its agents.
@Timeout(300)
final class KilledCliTest {
  @TempDir private Path data;

  /// The model hangs once, after it was told what its call came to: at that moment everything dies.
  @ParameterizedTest
  @EnumSource(RealCli.class)
  @Requirement({"N1", "S0-34"})
  void the_turn_goes_on_and_nothing_is_done_twice(RealCli cli) throws Exception {
    var hasHung = new AtomicBoolean();
    var hangs = new CountDownLatch(1);
    var usual = new ToolOrFinal();
    try (var llm =
        ScriptedLlm.start(asked -> {
          if (!asked.newResults().isEmpty() && hasHung.compareAndSet(false, true)) {
            hangs.countDown();
            return new Answer.Silence();
          }
          return usual.answer(asked);
        })) {
      String question;
      try (var daemon = MortalDaemon.start(data)) {
        daemon.create("{name: mira, provider: {name: external}}");
        daemon.create("{name: bob, parent: mira, provider: {name: external}}");
        String provider = cli.provider("").replace("{{llm}}", llm.openAiUrl());
        daemon.create("name: ada\nparent: mira\n" + provider);
        question = daemon.ask("ada", "[tool] greet bob");
        hangs.await();
        assertThat(daemon.minds()).as("at work").isNotEmpty();
      }
      try (var daemon = MortalDaemon.start(data)) {
        JsonNode answer = daemon.answer(question);
        assertThat(answer.path("text").asText()).contains("FINAL");
        assertThat(daemon.mailOf("bob")).as("greeted once").hasSize(1);
        assertThat(daemon.minds()).as("nobody is left of the first attempt").isEmpty();
      }
    }
  }
}
