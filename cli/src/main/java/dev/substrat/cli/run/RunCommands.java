package dev.substrat.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.agent.ConfigFile;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.IdPrefix;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.KeyValueTable;
import dev.substrat.cli.terminal.RelativeTime;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.TextTable;
import java.nio.file.Path;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Commands for runs, the records of turns.
@Command(
    description = "Inspect and control runs (records of turns): list, show, cancel, replay, fork.",
    footer = {
      "  ./substrat run list --agent mira",
      "  ./substrat run show RUN",
      "  ./substrat run replay RUN",
      "  ./substrat run fork RUN --from-step 2 --model M",
      ""
    })
public final class RunCommands {
  /// Page size of the daemon.
  private static final int MAX_COUNT = 200;

  /// Exit code if the replay differs, as `diff` uses it.
  private static final int DIVERGED = 1;

  private final RootCommand shell;

  public RunCommands(RootCommand shell) {
    this.shell = shell;
  }

  @Command(
      name = "list",
      description = "List the latest runs, newest first.",
      footer = {"  ./substrat run list", "  ./substrat run list --agent mira --limit 5", ""})
  void list(
      @Option(names = "--agent", paramLabel = "A", description = "Only runs of this agent.")
          @Nullable String agent,
      @Option(
              names = "--limit",
              paramLabel = "N",
              defaultValue = "20",
              description = "Number of runs (default: 20).")
          int limit,
      @Option(
              names = "--before",
              paramLabel = "RUN",
              description = "Only runs older than this one (full id).")
          @Nullable String before) {
    JsonNode runs =
        shell
            .daemon()
            .readPages(
                DaemonClient.query("/api/runs", "agent", agent), "runs", "before", before, limit);
    if (shell.printsList(runs, "runs", "no runs yet; start a run: ./substrat send AGENT TEXT")) {
      return;
    }
    var table =
        TextTable.of("RUN", "AGENT", "TURN", "STATUS", "STARTED", "TOOK", "CALLS", "OUTCOME");
    for (JsonNode run : runs.path("runs")) {
      table.row(
          run.path("id").asText(),
          run.path("agent").asText(),
          run.path("turn").asText(),
          run.path("status").asText(),
          RelativeTime.time(run.path("startedAt")),
          RelativeTime.between(run.path("startedAt"), run.path("endedAt")),
          calls(run),
          outcome(run));
    }
    table.print(shell.terminal());
    String next = runs.path("next").asText("");
    if (!next.isEmpty()) {
      shell.note("older runs: add --before " + next);
    }
  }

  /// Number of calls, with the numbers of rejected and failed calls.
  private static String calls(JsonNode run) {
    var words = new StringJoiner(", ");
    words.add(run.path("calls").asText());
    addCount(words, run.path("refusedCalls").asLong(), "rejected");
    addCount(words, run.path("failedCalls").asLong(), "failed");
    return words.toString();
  }

  private static void addCount(StringJoiner words, long count, String word) {
    if (count > 0) {
      words.add(count + " " + word);
    }
  }

  private static String outcome(JsonNode run) {
    boolean failed = run.path("status").asText().equals("failed");
    String text = run.path(failed ? "stopReason" : "response").asText("");
    return run.path("finishedWithoutPosting").asBoolean() ? RunPrinter.UNPOSTED + " " + text : text;
  }

  @Command(
      name = "show",
      description = "Show a run: its input, tool calls and result.",
      footer = {"  ./substrat run show RUN", ""})
  void show(
      @Parameters(paramLabel = "RUN", description = "Run id or a unique prefix of it.") String id) {
    String path = DaemonClient.path("/api/runs/", whole(id));
    JsonNode run = shell.daemon().read(path);
    JsonNode steps = shell.daemon().read(path + "/steps").path("steps");
    JsonNode given = shell.daemon().read(path + "/events").path("events");
    JsonNode messages = messages(path + "/messages");
    if (shell.wantsJson()) {
      ObjectNode whole = run.deepCopy();
      whole.set("steps", steps);
      whole.set("events", given);
      whole.set("calls", RunPrinter.callsAndReturns(messages));
      shell.terminal().json(whole);
      return;
    }
    var pages = new RunPrinter(shell.terminal());
    pages.printSummary(run, steps);
    pages.printInput(given);
    pages.printCalls(messages);
  }

  /// All messages, read page by page.
  private JsonNode messages(String path) {
    var all = JsonTree.object().putArray("messages");
    @Nullable String after = null;
    JsonNode page;
    do {
      page =
          shell
              .daemon()
              .read(DaemonClient.query(path, "after", after, "limit", String.valueOf(MAX_COUNT)))
              .path("messages");
      page.forEach(all::add);
      after = page.path(page.size() - 1).path("id").asText();
    } while (page.size() >= MAX_COUNT);
    return all;
  }

  @Command(
      name = "cancel",
      description = "Cancel a running turn. Its messages are not retried.",
      footer = {"  ./substrat run cancel RUN", ""})
  void cancel(
      @Parameters(paramLabel = "RUN", description = "Run id or a unique prefix of it.") String id) {
    String whole = whole(id);
    shell.daemon().post(DaemonClient.path("/api/runs/", whole) + "/cancel", JsonTree.object());
    shell.print(
        JsonTree.object().put("status", "cancelled").put("id", whole), "cancelled  " + whole);
  }

  @Command(
      name = "replay",
      description =
          "Replay a recorded turn without executing its calls. Exit code 1 if the result differs.",
      footer = {
        "  ./substrat run replay RUN",
        "  ./substrat run replay RUN --provider-file other.yaml",
        ""
      })
  int replay(
      @Parameters(paramLabel = "RUN", description = "Run id or a unique prefix of it.") String id,
      @Mixin ProviderOverrideOptions override) {
    JsonNode report =
        shell
            .daemon()
            .postAndWait(DaemonClient.path("/api/runs/", whole(id)) + "/replay", override.body());
    if (!shell.printsJson(report)) {
      new RunPrinter(shell.terminal()).printReplay(report);
    }
    return report.path("equal").asBoolean() ? 0 : DIVERGED;
  }

  @Command(
      name = "fork",
      description =
          "Create an agent that repeats a recorded turn up to a step, then continues with new model"
              + " calls.",
      footer = {
        "  ./substrat run fork RUN --from-step 2",
        "  ./substrat run fork RUN --from-step 1 --provider-file other.yaml --name \"mira,"
            + " bolder\"",
        ""
      })
  void fork(
      @Parameters(paramLabel = "RUN", description = "Run id or a unique prefix of it.") String id,
      @Option(
              names = "--from-step",
              paramLabel = "N",
              required = true,
              description =
                  "First step that is executed again (from 1); ./substrat run show lists the"
                      + " steps.")
          int fromStep,
      @Option(
              names = "--name",
              paramLabel = "X",
              description = "Name of the new agent (default: the agent's name and \"fork\").")
          @Nullable String name,
      @Mixin ProviderOverrideOptions override) {
    ObjectNode body = override.body().put("fromStep", fromStep);
    JsonTree.putIfGiven(body, "name", name);
    JsonNode fork = shell.daemon().post(DaemonClient.path("/api/runs/", whole(id)) + "/fork", body);
    if (shell.printsJson(fork)) {
      return;
    }
    new KeyValueTable()
        .with("created", fork.path("handle"))
        .with("id", fork.path("id"))
        .with("from", fork.path("forkedFrom").path("run"))
        .with("step", fork.path("forkedFrom").path("step"))
        .print(shell.terminal());
  }

  /// Completes the beginning of an id from the newest runs.
  private String whole(String id) {
    String newest = DaemonClient.query("/api/runs", "limit", String.valueOf(MAX_COUNT));
    return new IdPrefix(id)
        .complete(
            () ->
                shell
                    .daemon()
                    .read(newest)
                    .path("runs")
                    .valueStream()
                    .map(run -> run.path("id").asText()),
            "runs",
            "run list");
  }

  /// Options that override the provider of a recorded turn.
  static final class ProviderOverrideOptions {
    @Option(
        names = "--provider-file",
        paramLabel = "FILE",
        description =
            "File with another provider's settings, or an agent's configuration file (default: as"
                + " recorded).")
    @Nullable Path providerFile;

    @Option(
        names = "--model",
        paramLabel = "M",
        description = "Another model (default: as recorded).")
    @Nullable String model;

    ObjectNode body() {
      var body = JsonTree.object();
      if (providerFile != null) {
        ObjectNode file = ConfigFile.read(providerFile);
        body.set("provider", file.path("provider") instanceof ObjectNode inside ? inside : file);
      }
      JsonTree.putIfGiven(body, "model", model);
      return body;
    }
  }
}
