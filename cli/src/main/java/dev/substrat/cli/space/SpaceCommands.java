package dev.substrat.cli.space;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.KeyValueTable;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.StdinText;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Commands for spaces.
@Command(
    description = "Manage and use spaces (channels, DMs): create, list, read, post, react …",
    footer = {
      "  ./substrat space create general --members mira,ada,ben",
      "  ./substrat space post general \"Who is on watch tonight?\"",
      "  ./substrat space read general",
      ""
    })
public final class SpaceCommands {
  private static final String SPACES = "/api/spaces";
  private static final String ID = "Space id, from ./substrat space list.";
  private static final String WHO = "Agent handle, name of a person, or \"operator\".";

  private final RootCommand shell;

  public SpaceCommands(RootCommand shell) {
    this.shell = shell;
  }

  @Command(
      name = "create",
      description = "Create a space.",
      footer = {
        "  ./substrat space create general --members mira,ada,ben --topic \"The harbor\"",
        "  ./substrat space create \"Night Shift\" --kind private --wake mention --members ada,ana",
        ""
      })
  void create(@Mixin SpaceOptions options) {
    JsonNode space = shell.daemon().post(SPACES, options.body());
    if (!shell.printsJson(space)) {
      new KeyValueTable()
          .with("created", space.path("id"))
          .with("next", shell.command("space post " + space.path("id").asText() + " TEXT"))
          .print(shell.terminal());
    }
  }

  @Command(
      name = "list",
      description = "List the spaces you can see.",
      footer = {"  ./substrat space list", "  ./substrat space list --json", ""})
  public void list() {
    JsonNode list = shell.daemon().readAll(SPACES, "spaces");
    if (shell.printsJson(list)) {
      return;
    }
    if (list.path("spaces").isEmpty()) {
      shell.line("no spaces yet; create a space: ./substrat space create NAME --members A,B");
    } else {
      SpacePrinter.list(list.path("spaces"), shell.terminal());
    }
  }

  @Command(
      name = "show",
      description = "Show a space: properties, members, who is typing, held messages.",
      footer = {"  ./substrat space show general", ""})
  void show(@Parameters(paramLabel = "SPACE", description = ID) String id) {
    JsonNode space = shell.daemon().read(path(id));
    if (!shell.printsJson(space)) {
      SpacePrinter.printSpace(space, shell.terminal());
    }
  }

  @Command(
      name = "read",
      description = "Show the messages of a space, oldest first, and mark them as read.",
      footer = {
        "  ./substrat space read general",
        "  ./substrat space read general --limit 50 --before 120",
        "  ./substrat space read general --after 120 --peek --json",
        ""
      })
  void read(
      @Parameters(paramLabel = "SPACE", description = ID) String id,
      @Mixin HistoryOptions options) {
    JsonNode page = shell.daemon().read(options.query(path(id) + "/messages"));
    JsonNode messages = page.path("messages");
    if (!shell.printsJson(page)) {
      if (messages.isEmpty()) {
        shell.line(options.emptyMessage(page.path("lastSeq").asLong()));
      } else {
        SpacePrinter.messages(page, shell.terminal());
        options
            .otherPages(id, page)
            .forEach((where, words) -> shell.note(where + ": " + shell.command(words)));
      }
    }
    if (!options.isPeek() && !messages.isEmpty()) {
      markRead(id, messages.path(messages.size() - 1).path("seq").asLong());
    }
  }

  /// Only members have a read position.
  private void markRead(String id, long seq) {
    try {
      shell.daemon().post(path(id) + "/read", JsonTree.object().put("seq", seq));
    } catch (Fault fault) {
      if (fault.code() != ErrorCode.NOT_A_MEMBER) {
        throw fault;
      }
    }
  }

  @Command(
      name = "post",
      description = "Post a message to a space, as the person (or operator) whose token is used.",
      footer = {
        "  ./substrat space post general \"Who is on watch tonight?\"",
        "  ./substrat space post general \"I am.\" --reply-to 12",
        "  SUBSTRAT_PERSON_TOKEN=… ./substrat space post dm-ada-ana \"Hello Ada\"",
        "  cat log.txt | ./substrat space post general -",
        ""
      })
  void post(
      @Parameters(paramLabel = "SPACE", description = ID) String id,
      @Parameters(
              paramLabel = "TEXT",
              description = "Message text, or \"-\" to read it from stdin.")
          String text,
      @Option(
              names = "--reply-to",
              paramLabel = "MESSAGE",
              description =
                  "Message to reply to: its number, from ./substrat space read, or its id.")
          @Nullable String parent) {
    ObjectNode body = JsonTree.object().put("text", StdinText.textOrStdin(text));
    if (parent != null) {
      body.put("parentId", new MessageReference(shell.daemon()).idIn(id, parent));
    }
    // One idempotency key per command, so that a retry posts the message once.
    JsonNode said = shell.daemon().post(path(id) + "/messages", body, UUID.randomUUID().toString());
    if (!shell.printsJson(said)) {
      new KeyValueTable()
          .with("posted", said.path("id"))
          .with("seq", said.path("seq"))
          .with("as", said.path("author"))
          .with("held", said.path("held"))
          .with("answer", "appears in the space: " + shell.command("space read " + id))
          .print(shell.terminal());
    }
  }

  @Command(
      name = "react",
      description = "Add or remove an emoji reaction.",
      footer = {
        "  ./substrat space react general#12 👍",
        "  ./substrat space react general#12 👍 --remove",
        ""
      })
  void react(
      @Parameters(
              paramLabel = "MESSAGE",
              description = "Space and message number, such as general#12, or a message id.")
          String message,
      @Parameters(paramLabel = "EMOJI", description = "One emoji.") String emoji,
      @Option(names = "--remove", description = "Remove the reaction.") boolean remove) {
    var reaction = new ReactionChange(emoji, remove);
    JsonNode done = reaction.on(message, shell.daemon());
    shell.print(done, TerminalText.line(reaction.message(done)));
  }

  @Command(
      name = "members",
      description = "List the members of a space.",
      footer = {"  ./substrat space members general", ""})
  void members(@Parameters(paramLabel = "SPACE", description = ID) String id) {
    JsonNode members = shell.daemon().read(path(id)).path("members");
    if (!shell.printsJson(JsonTree.object().set("members", members))) {
      SpacePrinter.members(members, shell.terminal());
    }
  }

  @Command(
      name = "add",
      description = "Add members to a space.",
      footer = {"  ./substrat space add general ben ana", ""})
  void add(
      @Parameters(paramLabel = "SPACE", description = ID) String id,
      @Parameters(arity = "1..*", paramLabel = "WHO", description = WHO) List<String> who) {
    for (String one : who) {
      shell.daemon().post(path(id) + "/members", JsonTree.object().put("member", one));
    }
    printChange("added", id, who);
  }

  @Command(
      name = "remove",
      description = "Remove members from a space.",
      footer = {"  ./substrat space remove general ben", ""})
  void remove(
      @Parameters(paramLabel = "SPACE", description = ID) String id,
      @Parameters(arity = "1..*", paramLabel = "WHO", description = WHO) List<String> who) {
    for (String one : who) {
      shell.daemon().delete(path(id) + "/members", JsonTree.object().put("member", one));
    }
    printChange("removed", id, who);
  }

  private void printChange(String verb, String id, List<String> who) {
    var json = JsonTree.object().put("space", id);
    who.forEach(json.putArray(verb)::add);
    shell.print(json, TerminalText.line("%s %s".formatted(verb, String.join(", ", who))));
  }

  @Command(
      name = "topic",
      description = "Set the topic of a space.",
      footer = {"  ./substrat space topic general \"The winter repairs\"", ""})
  void topic(
      @Parameters(paramLabel = "SPACE", description = ID) String id,
      @Parameters(paramLabel = "TOPIC", description = "One line; an empty text removes the topic.")
          String topic) {
    JsonNode space = shell.daemon().put(path(id), JsonTree.object().put("topic", topic));
    shell.print(space, TerminalText.line("topic of %s: %s".formatted(id, topic)));
  }

  @Command(
      name = "set",
      description = "Change the name, topic, wake policy or chain depth of a space.",
      footer = {
        "  ./substrat space set general --wake mention --depth 5",
        "  ./substrat space set general --name \"The Quay\" --topic \"Winter repairs\"",
        ""
      })
  void set(
      @Parameters(paramLabel = "SPACE", description = ID) String id,
      @Mixin SpaceOptions.SpaceChangeOptions options) {
    JsonNode space = shell.daemon().put(path(id), options.body());
    if (!shell.printsJson(space)) {
      SpacePrinter.printSpace(space, shell.terminal());
    }
  }

  @Command(
      name = "release",
      description = "Release messages held by the loop guard in a space.",
      footer = {"  ./substrat space release general", ""})
  void release(@Parameters(paramLabel = "SPACE", description = ID) String id) {
    JsonNode released = shell.daemon().post(path(id) + "/release", JsonTree.object());
    shell.print(released, "released " + released.path("released").asLong());
  }

  private static String path(String id) {
    return DaemonClient.path(SPACES + "/", id);
  }

  /// Adds or removes an emoji reaction.
  private record ReactionChange(String emoji, boolean isRemoval) {

    /// `message` is a reference such as `general#12`, or an id.
    JsonNode on(String message, DaemonClient daemon) {
      if (!isRemoval) {
        requireSign();
      }
      String id = new MessageReference(daemon).id(message);
      String target = DaemonClient.path("/api/messages/", id) + "/reactions";
      JsonNode body = JsonTree.object().put("emoji", emoji);
      return isRemoval ? daemon.delete(target, body) : daemon.post(target, body);
    }

    /// Rejects names such as `thumbsup`, which the API accepts but which would be shown as text.
    private void requireSign() {
      if (emoji.chars().allMatch(c -> c < 0x80)) {
        throw ErrorCode.INVALID_ARGUMENTS.fault(
            "'%s' is not an emoji".formatted(emoji), "paste the emoji itself, for example 👍");
      }
    }

    /// Message about the result.
    String message(JsonNode done) {
      if (done.path("changed").asBoolean(true)) {
        return (isRemoval ? "removed " : "added ") + emoji;
      }
      return (isRemoval
              ? "you have not reacted to this message with %s"
              : "you have already reacted to this message with %s")
          .formatted(emoji);
    }
  }

  /// Resolves a message from its number in a space or its id.
  ///
  /// The API uses ids; people use the short numbers.
  private record MessageReference(DaemonClient daemon) {
    private static final Pattern NUMBER = Pattern.compile("#?(\\d{1,18})");
    private static final Pattern IN_A_SPACE = Pattern.compile("([^#]+)#(\\d{1,18})");

    /// A message in a known space: `12`, `general#12` or an id.
    String idIn(String space, String typed) {
      var number = NUMBER.matcher(typed);
      return number.matches() ? numbered(space, Long.parseLong(number.group(1))) : id(typed);
    }

    /// A message in any space: `general#12` or an id.
    String id(String typed) {
      var both = IN_A_SPACE.matcher(typed);
      if (both.matches()) {
        return numbered(both.group(1), Long.parseLong(both.group(2)));
      }
      if (NUMBER.matcher(typed).matches()) {
        throw ErrorCode.INVALID_ARGUMENTS.fault(
            "the message number %s needs a space".formatted(typed),
            "add the space: general#" + typed.replace("#", ""));
      }
      return typed;
    }

    private String numbered(String space, long number) {
      String messages = DaemonClient.path("/api/spaces/", space) + "/messages";
      JsonNode page =
          daemon.read(
              DaemonClient.query(messages, "limit", "1", "afterSeq", String.valueOf(number - 1)));
      JsonNode found = page.path("messages").path(0);
      if (found.path("seq").asLong() == number) {
        return found.path("id").asText();
      }
      throw ErrorCode.NOT_FOUND.fault(
          "message %d not found in %s; the last message is %d"
              .formatted(number, space, page.path("lastSeq").asLong()),
          "list messages with: ./substrat space read %s".formatted(space));
    }
  }
}
