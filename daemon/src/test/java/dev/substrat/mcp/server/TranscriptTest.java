package dev.substrat.mcp.server;

import dev.substrat.conformance.FixtureServer;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Requests recorded from real clients, and requests of faulty clients.
@Requirement("N3")
@Timeout(300)
final class TranscriptTest {
  private static final Path FILES = Path.of("src/test/resources/transcripts");

  static List<Transcript> daemon() throws IOException {
    return in("daemon");
  }

  static List<Transcript> fixtures() throws IOException {
    return in("fixtures");
  }

  private static List<Transcript> in(String directory) throws IOException {
    try (var files = Files.list(FILES.resolve(directory))) {
      return files.sorted().map(Transcript::read).toList();
    }
  }

  /// Mira leads ada and ben; all three have tokens.
  @ParameterizedTest
  @MethodSource("daemon")
  void a_transcript_with_a_team_matches(Transcript transcript) throws Exception {
    var place = TestDatabase.fresh(Dialect.SQLITE);
    try (place;
        var team = new McpTeam(place);
        var player =
            new TranscriptPlayer(
                team.daemon.url(),
                who ->
                    switch (who) {
                      case "operator" -> team.daemon.token();
                      case "nobody" -> "";
                      default -> team.client(who).token();
                    })) {
      player.play(transcript);
    }
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void a_transcript_with_the_conformance_fixtures_matches(
      Transcript transcript, @TempDir Path directory) throws Exception {
    try (var server = new FixtureServer(directory);
        var player = new TranscriptPlayer(server.url().replace("/mcp", ""), _ -> "")) {
      player.play(transcript);
    }
  }
}
