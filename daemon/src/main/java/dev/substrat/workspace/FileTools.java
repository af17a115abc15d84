package dev.substrat.workspace;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.fault.Fault;
import dev.substrat.json.AtLeast;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.team.Agent;
import dev.substrat.team.WorkspaceConfig.View;
import dev.substrat.tool.Call;
import dev.substrat.tool.Effect;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tools for files, for minds that have none of their own.
public final class FileTools {
  private static final int MOST_ENTRIES = 1_000;
  private static final int MOST_MATCHES = 100;

  private final Workspaces workspaces;

  public FileTools(Workspaces workspaces) {
    this.workspaces = workspaces;
  }

  /// Which files to list.
  public record Listing(
      @JsonPropertyDescription("A folder; your whole workspace if missing.") @Nullable String path,
      @JsonPropertyDescription("true: also what is below it.") @Nullable Boolean recursive,
      @AtLeast(1) @JsonPropertyDescription("How many at most; 1000 at most.")
          @Nullable Integer limit) {}

  /// What to read.
  public record Read(
      @JsonPropertyDescription("Path of the file, relative to your workspace.") String path,
      @AtLeast(1) @JsonPropertyDescription("The line to begin with; the first is 1.")
          @Nullable Integer offset,
      @AtLeast(1) @JsonPropertyDescription("How many lines; 2000 at most.")
          @Nullable Integer limit) {}

  /// What to write.
  public record Write(
      @JsonPropertyDescription("Path of the file, relative to your workspace.") String path,
      @JsonPropertyDescription("The whole new content of the file.") String text,
      @JsonProperty("expected_hash")
          @JsonPropertyDescription(
              "The hash of the file you mean to write over, or \"none\" if there must be none yet.")
          @Nullable String expectedHash) {}

  /// What to replace with what.
  public record Edit(
      @JsonPropertyDescription("Path of the file, relative to your workspace.") String path,
      @JsonPropertyDescription("Text to replace, exactly as it is in the file.") String old,
      @JsonProperty("new") @JsonPropertyDescription("Text to put in its place.") String fresh,
      @JsonProperty(defaultValue = "false")
          @JsonPropertyDescription(
              "true: replace every occurrence. false: `old` must occur exactly once.")
          @Nullable Boolean all) {}

  /// What to look for.
  public record Search(
      @JsonPropertyDescription("Text that a line must contain.") String text,
      @JsonPropertyDescription("A folder; your whole workspace if missing.") @Nullable String path,
      @JsonProperty(value = "ignore_case", defaultValue = "false")
          @JsonPropertyDescription("true: ignore upper and lower case.")
          @Nullable Boolean ignoreCase,
      @AtLeast(1) @JsonPropertyDescription("How many lines; 100 at most.")
          @Nullable Integer limit) {}

  public List<Tool> tools() {
    return List.of(list(), read(), new Reaching(write()), new Reaching(edit()), search());
  }

  private Tool list() {
    return SimpleTool.of(
        "list_files",
        Effect.LOOKS,
        Listing.class,
        Tour.Entries.class,
        """
        Lists what is in your workspace, by name. Paths are relative to it, here and everywhere.
        It returns at once; truncated says that there is more.\
        """,
        (call, input) ->
            tour(call)
                .list(
                    path(call, input.path()),
                    Boolean.TRUE.equals(input.recursive()),
                    most(input.limit(), MOST_ENTRIES)));
  }

  private Tool read() {
    return SimpleTool.of(
        "read_file",
        Effect.LOOKS,
        Read.class,
        RoomFiles.Excerpt.class,
        """
        Reads lines of a text in your workspace. If it is truncated, go on with a higher offset.
        Of a binary file you get its size and hash only.\
        """,
        (call, input) ->
            files(call)
                .read(
                    path(call, input.path()),
                    input.offset() == null ? 1 : input.offset(),
                    most(input.limit(), RoomFiles.MOST_LINES)));
  }

  private Tool write() {
    return SimpleTool.of(
        "write_file",
        Effect.CHANGES,
        Write.class,
        RoomFiles.Written.class,
        """
        Writes a whole file in your workspace, and the folders it is in. Give expected_hash if
        others may have changed it since you read it: then nothing of theirs is lost.\
        """,
        (call, input) ->
            files(call).write(path(call, input.path()), input.text(), input.expectedHash()));
  }

  private Tool edit() {
    return SimpleTool.of(
        "edit_file",
        Effect.CHANGES,
        Edit.class,
        RoomFiles.Edited.class,
        """
        Replaces a piece of text in a file of your workspace. Use it instead of write_file when
        most of the file stays as it is.\
        """,
        (call, input) ->
            files(call)
                .edit(
                    path(call, input.path()),
                    input.old(),
                    input.fresh(),
                    Boolean.TRUE.equals(input.all())));
  }

  private Tool search() {
    return SimpleTool.of(
        "search_files",
        Effect.LOOKS,
        Search.class,
        Tour.Matches.class,
        """
        Finds lines in the texts of your workspace that have something in them. It leaves out
        .git, what is binary and what is larger than a mebibyte.\
        """,
        (call, input) -> {
          if (input.text().isBlank()) {
            throw new Fault(ErrorCode.INVALID_ARGUMENTS, "/text is blank", "say what to look for");
          }
          return tour(call)
              .search(
                  path(call, input.path()),
                  input.text(),
                  Boolean.TRUE.equals(input.ignoreCase()),
                  most(input.limit(), MOST_MATCHES));
        });
  }

  private static SafePath path(Call call, @Nullable String text) {
    if (text != null && isInView(call.caller().agent(), text)) {
      throw new Fault(
          ErrorCode.PATH_BLOCKED,
          "/path is in a view, which only programs see: " + text,
          "look at it with run_command, if you have that; here paths are relative to your"
              + " workspace");
    }
    return text == null ? SafePath.ROOT : SafePath.parse("/path", text);
  }

  private static boolean isInView(Agent agent, String text) {
    return agent.config().workspaceOrDefault().viewsOrNone().stream()
        .map(View::place)
        .anyMatch(place -> text.equals(place) || text.startsWith(place + "/"));
  }

  private static int most(@Nullable Integer wanted, int most) {
    return wanted == null ? most : Math.min(wanted, most);
  }

  private RoomFiles files(Call call) {
    return new RoomFiles(workspaces.room(call.caller().agent()));
  }

  private Tour tour(Call call) {
    return new Tour(workspaces.room(call.caller().agent()));
  }
}
