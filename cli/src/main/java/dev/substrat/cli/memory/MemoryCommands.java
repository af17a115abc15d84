package dev.substrat.cli.memory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.StdinText;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.SpellingSuggestion;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Commands for the memory of agents.
@Command(
    description = "Manage the memory of agents: list, show, set, undo, search, share …",
    footer = {
      "  ./substrat memory list mira",
      "  ./substrat memory set mira persona \"Calm, and fond of ships.\"",
      "  ./substrat memory undo mira persona",
      "  ./substrat memory search mira tide",
      ""
    })
public final class MemoryCommands {
  private static final String AGENT = "Agent: handle or id.";
  private static final String LABEL = "Label of the block.";
  private static final String SHARED = "/api/shared-blocks";

  private final RootCommand shell;
  private final MemoryPrinter pages;

  public MemoryCommands(RootCommand shell) {
    this.shell = shell;
    this.pages = new MemoryPrinter(shell.terminal());
  }

  @Command(
      name = "list",
      description = "List an agent's blocks and values, which are part of every prompt.",
      footer = {"  ./substrat memory list mira", ""})
  void list(@Parameters(paramLabel = "AGENT", description = AGENT) String agent) {
    print(shell.daemon().read(of(agent)), pages::printAll);
  }

  @Command(
      name = "show",
      description = "Show a memory block of an agent.",
      footer = {"  ./substrat memory show mira persona", ""})
  void show(
      @Parameters(paramLabel = "AGENT", description = AGENT) String agent,
      @Parameters(paramLabel = "LABEL", description = LABEL) String label) {
    print(shell.daemon().read(of(agent, label)), pages::block);
  }

  @Command(
      name = "set",
      description = "Create or replace a memory block. The agent's next turn sees the new content.",
      footer = {
        "  ./substrat memory set mira persona \"Calm, and fond of ships.\"",
        "  ./substrat memory set mira law - --read-only --limit 8000 < law.md",
        "  ./substrat memory set mira persona \"Stern.\" --version 3 --why \"too soft\"",
        ""
      })
  void set(
      @Parameters(paramLabel = "AGENT", description = AGENT) String agent,
      @Parameters(paramLabel = "LABEL", description = LABEL) String label,
      @Parameters(paramLabel = "TEXT", description = "New content, or \"-\" to read it from stdin.")
          String text,
      @Mixin BlockOptions options,
      @Option(
              names = "--version",
              paramLabel = "N",
              description = "Write only if N is the current version of the block.")
          @Nullable Long version,
      @Option(
              names = "--why",
              paramLabel = "W",
              description = "Reason of the change, recorded in the history.")
          @Nullable String reason) {
    ObjectNode body = options.addTo(JsonTree.object().put("content", StdinText.orTyped(text)));
    JsonTree.putIfGiven(body, "version", version);
    JsonTree.putIfGiven(body, "reason", reason);
    long before = version(of(agent, label));
    JsonNode now = shell.daemon().put(of(agent, label), body);
    print(now, pages::block);
    if (now.path("version").asLong() != before) {
      noteReaders(now);
    } else if (!shell.wantsJson()) {
      shell.note(
          "content unchanged, so there is no new version"
              + (body.has("reason") ? ", and --why was not saved" : ""));
    }
  }

  @Command(
      name = "undo",
      description = "Restore the previous version of a block, or a deleted block.",
      footer = {"  ./substrat memory undo mira persona", ""})
  void undo(
      @Parameters(paramLabel = "AGENT", description = AGENT) String agent,
      @Parameters(paramLabel = "LABEL", description = LABEL) String label) {
    JsonNode now = shell.daemon().post(of(agent, label) + "/undo", JsonTree.object());
    print(now, pages::block);
    noteReaders(now);
  }

  @Command(
      name = "history",
      description = "List the versions of a block with author and reason, newest first.",
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
      description =
          "Delete a block of an agent (undo restores the block), or detach a shared block.",
      footer = {"  ./substrat memory delete mira persona", ""})
  void delete(
      @Parameters(paramLabel = "AGENT", description = AGENT) String agent,
      @Parameters(paramLabel = "LABEL", description = LABEL) String label) {
    shell.daemon().delete(of(agent, label));
    print(
        JsonTree.object().put("deleted", label),
        json -> shell.line("deleted  " + json.path("deleted").asText()));
  }

  @Command(
      name = "passages",
      description = "List an agent's passages, newest first.",
      footer = {"  ./substrat memory passages mira --tag ship", ""})
  void passages(
      @Parameters(paramLabel = "AGENT", description = AGENT) String agent,
      @Option(
              names = "--tag",
              paramLabel = "T",
              description = "Only passages with this tag; repeatable.")
          @Nullable List<String> tags) {
    find(agent, null, tags);
  }

  @Command(
      name = "search",
      description = {
        "Search an agent's passages, in the same way as its tool search_memory.",
        "",
        "Finds passages with all words of the query, then passages with a similar meaning. Put a"
            + " phrase in quotation marks. Put OR between alternatives. The column MATCH shows why"
            + " a passage was found (words or meaning), SCORE how well it matches (0 to 1)."
      },
      footer = {
        "  ./substrat memory search mira \"when is high tide\"",
        "  ./substrat memory search mira '\"high tide\" OR flood'",
        ""
      })
  void search(
      @Parameters(paramLabel = "AGENT", description = AGENT) String agent,
      @Parameters(paramLabel = "QUERY", description = "Query: words, a question, or a \"phrase\".")
          String query,
      @Option(
              names = "--tag",
              paramLabel = "T",
              description = "Only passages with this tag; repeatable.")
          @Nullable List<String> tags) {
    find(agent, query, tags);
  }

  private void find(String agent, @Nullable String query, @Nullable List<String> tags) {
    String path = DaemonClient.path("/api/agents/", agent) + "/passages";
    String wanted = tags == null ? null : String.join(",", tags);
    String none =
        query == null && tags == null
            ? "no passages; store a passage: " + shell.command("memory add " + agent + " TEXT")
            : "no match; list all passages: " + shell.command("memory passages " + agent);
    print(
        shell.daemon().read(DaemonClient.query(path, "q", query, "tags", wanted)),
        json -> pages.passages(json.path("passages"), none));
  }

  @Command(
      name = "add",
      description = "Store a passage in an agent's memory.",
      footer = {"  ./substrat memory add mira \"High tide is at six.\" --tag tide", ""})
  void add(
      @Parameters(paramLabel = "AGENT", description = AGENT) String agent,
      @Parameters(paramLabel = "TEXT", description = "Content, or \"-\" to read it from stdin.")
          String text,
      @Option(names = "--tag", paramLabel = "T", description = "Tag of the passage; repeatable.")
          @Nullable List<String> tags) {
    var body = JsonTree.object().put("content", StdinText.orTyped(text));
    if (tags != null) {
      tags.forEach(body.putArray("tags")::add);
    }
    print(
        shell.daemon().post(DaemonClient.path("/api/agents/", agent) + "/passages", body),
        json -> shell.line("stored  " + json.path("id").asText()));
  }

  @Command(
      name = "share",
      description = "Create a block that several agents share.",
      footer = {
        "  ./substrat memory share plan \"Sail at eight.\" --write mira --read ada --read ben",
        ""
      })
  void share(
      @Parameters(paramLabel = "LABEL", description = LABEL) String label,
      @Parameters(paramLabel = "TEXT", description = "Content, or \"-\" to read it from stdin.")
          String text,
      @Mixin BlockOptions options,
      @Option(
              names = "--read",
              paramLabel = "A",
              description = "Agent that can read the block; repeatable.")
          @Nullable List<String> readers,
      @Option(
              names = "--write",
              paramLabel = "A",
              description = "Agent that can read and write the block; repeatable.")
          @Nullable List<String> writers) {
    ObjectNode body =
        options.addTo(
            JsonTree.object().put("label", label).put("content", StdinText.orTyped(text)));
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
      description = "List shared blocks and their agents.",
      footer = {"  ./substrat memory shared", ""})
  void shared() {
    print(shell.daemon().read(SHARED), json -> pages.printAllShared(json.path("blocks")));
  }

  @Command(
      name = "unshare",
      description =
          "Detach a shared block from these agents; the block and its other agents do not change.",
      footer = {"  ./substrat memory unshare plan ada ben", ""})
  void unshare(
      @Parameters(
              paramLabel = "BLOCK",
              description = "Label of the block, or its id if the label is not unique.")
          String block,
      @Parameters(paramLabel = "AGENT", arity = "1..*", description = AGENT) List<String> agents) {
    String id = sharedBlockId(shell.daemon().read(SHARED).path("blocks"), block);
    JsonNode left = JsonTree.object();
    for (String agent : agents) {
      left =
          shell
              .daemon()
              .delete(DaemonClient.path(DaemonClient.path(SHARED + "/", id) + "/agents/", agent));
    }
    print(left, pages::shared);
  }

  /// Zero for a new block.
  private long version(String block) {
    try {
      return shell.daemon().read(block).path("version").asLong();
    } catch (Fault fault) {
      if (fault.code() == ErrorCode.NOT_FOUND) {
        return 0;
      }
      throw fault;
    }
  }

  /// Notes which agents a change of a shared block affects.
  private void noteReaders(JsonNode block) {
    if (block.path("shared").asBoolean() && !shell.wantsJson()) {
      shell.note(
          TerminalText.line("this block is shared; the change applies to " + readers(block)));
    }
  }

  /// The block has been written, so a failure to list its readers is ignored.
  private String readers(JsonNode block) {
    try {
      return shell
          .daemon()
          .read(DaemonClient.path(SHARED + "/", block.path("id").asText()))
          .path("agents")
          .valueStream()
          .map(one -> one.path("agent").asText())
          .collect(Collectors.joining(", "));
    } catch (Fault _) {
      return "all agents that share it";
    }
  }

  private void print(JsonNode json, Consumer<JsonNode> page) {
    if (!shell.printsJson(json)) {
      page.accept(json);
    }
  }

  private static String of(String agent) {
    return DaemonClient.path("/api/agents/", agent) + "/memory";
  }

  private static String of(String agent, String label) {
    return DaemonClient.path(of(agent) + "/", label);
  }

  /// Resolves a shared block from its id, or from its label if that is unique.
  private static String sharedBlockId(JsonNode blocks, String typed) {
    List<String> ids =
        blocks
            .valueStream()
            .filter(one -> one.path("id").asText().equals(typed) || label(one).equals(typed))
            .map(one -> one.path("id").asText())
            .toList();
    if (ids.size() > 1) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "%d shared blocks are called %s".formatted(ids.size(), typed),
          "use an id instead of the label: " + String.join(", ", ids));
    }
    return ids.stream()
        .findFirst()
        .orElseThrow(() ->
            ErrorCode.NOT_FOUND.fault(
                "shared block %s not found".formatted(typed),
                SpellingSuggestion.suggestion(
                        typed, blocks.valueStream().map(MemoryCommands::label).toList())
                    + "list shared blocks with: ./substrat memory shared"));
  }

  private static String label(JsonNode block) {
    return block.path("label").asText();
  }

  /// Options for the properties of a block.
  static final class BlockOptions {
    @Option(
        names = "--limit",
        paramLabel = "N",
        description = "Maximum number of characters (default for a new block: 4000).")
    private @Nullable Integer limit;

    @Option(
        names = "--read-only",
        negatable = true,
        description =
            "Only people can write the block (--no-read-only: the agent can write it, too).")
    private @Nullable Boolean readOnly;

    @Option(
        names = "--description",
        paramLabel = "D",
        description = "Purpose of the block, shown to the agent.")
    private @Nullable String description;

    ObjectNode addTo(ObjectNode body) {
      JsonTree.putIfGiven(body, "limit", limit);
      JsonTree.putIfGiven(body, "readOnly", readOnly);
      JsonTree.putIfGiven(body, "description", description);
      return body;
    }
  }
}
