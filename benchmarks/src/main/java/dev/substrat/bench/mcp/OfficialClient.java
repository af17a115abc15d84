package dev.substrat.bench.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.bench.Figure;
import dev.substrat.bench.NodePeer;
import dev.substrat.platform.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The TypeScript SDK as a client, which most MCP clients use. It sends the next request as soon as
/// the previous one is answered.
final class OfficialClient {
  private final List<Variant> ways = new ArrayList<>();

  /// One tool of one server, and how often it was answered per second.
  record Variant(Figure rate, URI url, @Nullable String token, String tool) {}

  Figure add(String name, URI url, @Nullable String token, String tool) {
    var rate = new Figure(name);
    ways.add(new Variant(rate, url, token, tool));
    return rate;
  }

  List<Figure> rates() {
    return ways.stream().map(Variant::rate).toList();
  }

  void measure(Duration time, int warmUps, int rounds) throws IOException, InterruptedException {
    var words = new ArrayList<>(NodePeer.command("client-http.mjs"));
    words.add(String.valueOf(time.toMillis() / 1e3));
    words.add(String.valueOf(warmUps));
    words.add(String.valueOf(rounds));
    var builder = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT);
    // Not as an argument, which every user of the machine can read.
    builder.environment().put("WAYS", Json.text(asked()));
    Process process = builder.start();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        JsonNode said = Json.own(line);
        ways.get(said.path("way").asInt()).rate().add(said.path("rate").asDouble());
      }
    } catch (IOException | RuntimeException e) {
      process.destroy();
      throw e;
    }
    if (process.waitFor() != 0) {
      throw new IllegalStateException("the official client gave up");
    }
  }

  private JsonNode asked() {
    var all = Json.object().putArray("ways");
    for (Variant way : ways) {
      all.addObject()
          .put("url", way.url().toString())
          .put("token", way.token())
          .put("tool", way.tool());
    }
    return all;
  }
}
