package dev.substrat.cli.memory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.shell.RootCommand;
import dev.substrat.cli.wire.DaemonClient;
import dev.substrat.cli.wire.JsonTree;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// What agents keep: look, write, undo, search, share.
@Command(
    description = "Look after what agents keep: list, show, set, undo, search, share …",
    footer = {
      "  ./substrat memory list mira",
      "  ./substrat memory set mira persona \"Calm, and fond of ships.\"",
      "  ./substrat memory undo mira persona",
      "  ./substrat memory search mira tide",
      ""
    })
public final class MemoryCommands {
  private static final String AGENT = "Handle or id.";
  private static final String LABEL = "The block's label.";
  private static final String SHARED = "/api/shared-blocks";

  private final RootCommand shell;
  private final MemoryPrinter pages;
  private final BlockWriter writing;

  public MemoryCommands(RootCommand shell) {
    this.shell = shell;
    this.pages = new MemoryPrinter(shell.screen());
    this.writing = new BlockWriter(shell, pages);
  }

  @Command(
      name = "list",
      description = "What an agent has before it in every turn: blocks and values.",
      footer = {"  ./substrat memory list mira", ""})
  void list(@Parameters(paramLabel = "AGENT", description = AGENT) String agent) {
    print(shell.daemon().read(of(agent)), pages::all);
  }

  @Command(
      name = "show",
      description = "One block.",
      footer = {"  ./substrat memory show mira persona", ""})
  void show(
      @Parameters(paramLabel = "AGENT", description = AGENT) String agent,
      @Parameters(paramLabel = "LABEL", description = LABEL) String label) {
    print(shell.daemon().read(of(agent, label)), pages::block);
  }

  @Command(
      name = "set",
      description = "Write a block anew, or make it. The agent sees it in its next turn.",
      footer = {
        "  ./substrat memory set mira persona \"Calm, and fond of ships.\"",
        "  ./substrat memory set mira law - --read-only --limit 8000 < law.md",
        "  ./substrat memory set mira persona \"Stern.\" --version 3 --why \"too soft\"",
        ""
      })
  void set(
      @Parameters(paramLabel = "AGENT", description = AGENT) String agent,
      @Parameters(paramLabel = "LABEL", description = LABEL) String label,
      @Parameters(paramLabel = "TEXT", description = "All it says from now on; - reads stdin.")
          String text,
      @Mixin BlockOptions options,
      @Option(names = "--version", paramLabel = "N", description = "Only if it is at this version.")
          @Nullable Long version,
      @Option(names = "--why", paramLabel = "W", description = "The reason, for its history.")
          @Nullable String reason) {
    ObjectNode body = options.in(JsonTree.object().put("content", TextContent.of(text)));
    if (version != null) {
      body.put("version", version);
    }
    if (reason != null) {
      body.put("reason", reason);
    }
    writing.set(of(agent, label), body);
  }

  @Command(
      name = "undo",
      description = "Make a block say what it said before; also one that was deleted.",
      footer = {"  ./substrat memory undo mira persona", ""})
  void undo(
      @Parameters(paramLabel = "AGENT", description = AGENT) String agent,
      @Parameters(paramLabel = "LABEL", description = LABEL) String label) {
    writing.undo(of(agent, label));
  }

  @Command(
      name = "history",
      description = "What a block has said, who wrote it and why, newest first.",
      footer = {"  ./substrat memory history mira persona", ""})
  void history(
      @Parameters(paramLabel = "AGENT", description = AGENT) String agent,
      @Parameters(paramLabel = "LABEL", description = LABEL) String label) {
    print(
        shell.daemon().readAll(of(agent, label) + "/versions", "versions"),
        json -> pages.history(json.path("versions")));
  }

  @Command(
      name = "delete",
      description = "Take a block away from an agent; undo brings back one of its own.",
      footer = {"  ./substrat memory delete mira persona", ""})
  void delete(
      @Parameters(paramLabel = "AGENT", description = AGENT) String agent,
      @Parameters(paramLabel = "LABEL", description = LABEL) String label) {
    shell.daemon().delete(of(agent, label));
    print(
        JsonTree.object().put("deleted", label),
        json -> shell.screen().line("deleted  " + json.path("deleted").asText()));
  }

  @Command(
      name = "passages",
      description = "What an agent has stored, newest first.",
      footer = {"  ./substrat memory passages mira --tag ship", ""})
  void passages(
      @Parameters(paramLabel = "AGENT", description = AGENT) String agent,
      @Option(names = "--tag", paramLabel = "T", description = "Only with this tag; repeatable.")
          @Nullable List<String> tags) {
    find(agent, null, tags);
  }

  @Command(
      name = "search",
      description = {
        "Search what an agent has stored, as it would itself.",
        "",
        "Finds passages with all words of the query, then passages with a similar meaning. Quotation"
            + " marks find a phrase, OR finds one of several words. MATCH says why a passage was"
            + " found (words or meaning), SCORE how well it fits (0 to 1)."
      },
      footer = {
        "  ./substrat memory search mira \"when is high tide\"",
        "  ./substrat memory search mira '\"high tide\" OR flood'",
        ""
      })
  void search(
      @Parameters(paramLabel = "AGENT", description = AGENT) String agent,
      @Parameters(paramLabel = "QUERY", description = "What it is about.") String query,
      @Option(names = "--tag", paramLabel = "T", description = "Only with this tag; repeatable.")
          @Nullable List<String> tags) {
    find(agent, query, tags);
  }

  private void find(String agent, @Nullable String query, @Nullable List<String> tags) {
    String path = DaemonClient.path("/api/agents/", agent) + "/passages";
    String wanted = tags == null ? null : String.join(",", tags);
    String none =
        query == null && tags == null
            ? "no passages; store one: " + shell.command("memory add " + agent + " TEXT")
            : "nothing found; all there is: " + shell.command("memory passages " + agent);
    print(
        shell.daemon().read(DaemonClient.query(path, "q", query, "tags", wanted)),
        json -> pages.passages(json.path("passages"), none));
  }

  @Command(
      name = "add",
      description = "Store a passage for an agent to find.",
      footer = {"  ./substrat memory add mira \"High tide is at six.\" --tag tide", ""})
  void add(
      @Parameters(paramLabel = "AGENT", description = AGENT) String agent,
      @Parameters(paramLabel = "TEXT", description = "What to store; - reads stdin.") String text,
      @Option(names = "--tag", paramLabel = "T", description = "What it is about; repeatable.")
          @Nullable List<String> tags) {
    var body = JsonTree.object().put("content", TextContent.of(text));
    if (tags != null) {
      tags.forEach(body.putArray("tags")::add);
    }
    print(
        shell.daemon().post(DaemonClient.path("/api/agents/", agent) + "/passages", body),
        json -> shell.screen().line("stored  " + json.path("id").asText()));
  }

  @Command(
      name = "share",
      description = "Make a block that stands before several agents.",
      footer = {
        "  ./substrat memory share plan \"Sail at eight.\" --write mira --read ada --read ben",
        ""
      })
  void share(
      @Parameters(paramLabel = "LABEL", description = LABEL) String label,
      @Parameters(paramLabel = "TEXT", description = "What it says; - reads stdin.") String text,
      @Mixin BlockOptions options,
      @Option(names = "--read", paramLabel = "A", description = "An agent that reads it.")
          @Nullable List<String> readers,
      @Option(names = "--write", paramLabel = "A", description = "An agent that also writes it.")
          @Nullable List<String> writers) {
    ObjectNode body =
        options.in(JsonTree.object().put("label", label).put("content", TextContent.of(text)));
    var agents = body.putArray("agents");
    Stream.ofNullable(readers)
        .flatMap(List::stream)
        .forEach(agent -> agents.addObject().put("agent", agent).put("mayWrite", false));
    Stream.ofNullable(writers)
        .flatMap(List::stream)
        .forEach(agent -> agents.addObject().put("agent", agent).put("mayWrite", true));
    print(shell.daemon().post(SHARED, body), pages::shared);
  }

  @Command(
      name = "shared",
      description = "Blocks that stand before several agents, and before whom.",
      footer = {"  ./substrat memory shared", ""})
  void shared() {
    print(shell.daemon().read(SHARED), json -> pages.allShared(json.path("blocks")));
  }

  @Command(
      name = "unshare",
      description = "Take a shared block away from agents; it stays with the others.",
      footer = {"  ./substrat memory unshare plan ada ben", ""})
  void unshare(
      @Parameters(paramLabel = "BLOCK", description = "Its label, or its id if several have it.")
          String block,
      @Parameters(paramLabel = "AGENT", arity = "1..*", description = AGENT) List<String> agents) {
    String id = SharedBlockArgument.id(shell.daemon().read(SHARED).path("blocks"), block);
    JsonNode left = JsonTree.object();
    for (String agent : agents) {
      left =
          shell
              .daemon()
              .delete(DaemonClient.path(DaemonClient.path(SHARED + "/", id) + "/agents/", agent));
    }
    print(left, pages::shared);
  }

  private void print(JsonNode json, Consumer<JsonNode> page) {
    if (shell.wantsJson()) {
      shell.screen().json(json);
    } else {
      page.accept(json);
    }
  }

  private static String of(String agent) {
    return DaemonClient.path("/api/agents/", agent) + "/memory";
  }

  private static String of(String agent, String label) {
    return DaemonClient.path(of(agent) + "/", label);
  }
}
