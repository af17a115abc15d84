package dev.substrat.toolset.workspace;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.platform.json.Minimum;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.team.Agent;
import dev.substrat.team.WorkspaceConfig.VisiblePath;
import dev.substrat.tool.DelegatingTool;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolEffect;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Tools for files, for agents whose provider has no file tools.
public record FileTools(Workspaces workspaces) {

  private static final int MAX_ENTRIES = 1_000;
  private static final int MAX_MATCHES = 100;

  /// Input of list_files.
  public record ListFilesInput(
      @JsonPropertyDescription(
              "Directory, relative to your workspace. Default: the whole workspace.")
          @Nullable String path,
      @JsonProperty(defaultValue = "false")
          @JsonPropertyDescription("true: include subdirectories.")
          @Nullable Boolean recursive,
      @Minimum(1)
          @JsonProperty(defaultValue = "1000")
          @JsonPropertyDescription("Maximum number of entries, up to 1000.")
          @Nullable Integer limit) {}

  /// Input of read_file.
  public record ReadFileInput(
      @JsonPropertyDescription("Path of the file, relative to your workspace.") String path,
      @Minimum(1) @JsonProperty(defaultValue = "1") @JsonPropertyDescription("First line to read.")
          @Nullable Integer offset,
      @Minimum(1)
          @JsonProperty(defaultValue = "2000")
          @JsonPropertyDescription("Maximum number of lines, up to 2000.")
          @Nullable Integer limit) {}

  /// Input of write_file.
  public record WriteFileInput(
      @JsonPropertyDescription("Path of the file, relative to your workspace.") String path,
      @JsonPropertyDescription("The whole new content of the file.") String text,
      @JsonProperty("expected_hash")
          @JsonPropertyDescription(
              "Hash that `read_file` returned, or `none` for a file that must not exist. If the"
                  + " hash differs, nothing is written.")
          @Nullable String expectedHash) {}

  /// Input of edit_file.
  public record EditFileInput(
      @JsonPropertyDescription("Path of the file, relative to your workspace.") String path,
      @JsonPropertyDescription("Text to replace, exactly as it is in the file.") String old,
      @JsonProperty("new") @JsonPropertyDescription("Text to put in its place.") String fresh,
      @JsonProperty(defaultValue = "false")
          @JsonPropertyDescription(
              "true: replace every occurrence. false: `old` must occur exactly once.")
          @Nullable Boolean all) {}

  /// Input of search_files.
  public record SearchFilesInput(
      @JsonPropertyDescription("Text that a line must contain.") String text,
      @JsonPropertyDescription(
              "Directory, relative to your workspace. Default: the whole workspace.")
          @Nullable String path,
      @JsonProperty(value = "ignore_case", defaultValue = "false")
          @JsonPropertyDescription("true: ignore upper and lower case.")
          @Nullable Boolean ignoreCase,
      @Minimum(1)
          @JsonProperty(defaultValue = "100")
          @JsonPropertyDescription("Maximum number of lines, up to 100.")
          @Nullable Integer limit) {}

  public List<Tool> tools() {
    return List.of(
        list(), read(), new RepeatSafeTool(write()), new RepeatSafeTool(edit()), search());
  }

  private Tool list() {
    return SimpleTool.of(
        "list_files",
        ToolEffect.LOOKS,
        ListFilesInput.class,
        DirectoryWalk.DirectoryListing.class,
        """
        List files and directories in your workspace. `truncated` means that there are more entries.\
        """,
        (call, input) ->
            tour(call)
                .list(
                    path(call, input.path()),
                    Boolean.TRUE.equals(input.recursive()),
                    most(input.limit(), MAX_ENTRIES)));
  }

  private Tool read() {
    return SimpleTool.of(
        "read_file",
        ToolEffect.LOOKS,
        ReadFileInput.class,
        ConfinedFiles.FileExcerpt.class,
        """
        Read lines of a text file in your workspace. If the result is truncated, continue with a higher
        offset. For a binary file it returns size and hash only.\
        """,
        (call, input) ->
            files(call)
                .read(
                    path(call, input.path()),
                    input.offset() == null ? 1 : input.offset(),
                    most(input.limit(), ConfinedFiles.MAX_LINES)));
  }

  private Tool write() {
    return SimpleTool.of(
        "write_file",
        ToolEffect.CHANGES,
        WriteFileInput.class,
        ConfinedFiles.WriteResult.class,
        """
        Write a whole file in your workspace; missing directories are created. Use expected_hash if others
        may have changed the file since you read it. For a small change use edit_file.\
        """,
        (call, input) ->
            files(call).write(path(call, input.path()), input.text(), input.expectedHash()));
  }

  private Tool edit() {
    return SimpleTool.of(
        "edit_file",
        ToolEffect.CHANGES,
        EditFileInput.class,
        ConfinedFiles.EditResult.class,
        """
        Replace text in a file in your workspace. Use it instead of write_file when most of the file stays
        the same.\
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
        ToolEffect.LOOKS,
        SearchFilesInput.class,
        DirectoryWalk.FileSearchResult.class,
        """
        Find lines that contain a text in the files of your workspace. Skips .git, binary files and files
        over 1 MiB.\
        """,
        (call, input) -> {
          if (input.text().isBlank()) {
            throw ErrorCode.INVALID_ARGUMENTS.fault(
                "/text is blank", "give the text to search for");
          }
          return tour(call)
              .search(
                  path(call, input.path()),
                  input.text(),
                  Boolean.TRUE.equals(input.ignoreCase()),
                  most(input.limit(), MAX_MATCHES));
        });
  }

  private static SafePath path(ToolCall call, @Nullable String text) {
    if (text != null && isInView(call.caller().agent(), text)) {
      throw ErrorCode.PATH_BLOCKED.fault(
          "/path is in a view, which only commands can read: " + text,
          "read it with run_command if you have that tool; paths here are relative "
              + "to your workspace");
    }
    return text == null ? SafePath.ROOT : SafePath.parse("/path", text);
  }

  private static boolean isInView(Agent agent, String text) {
    return agent.config().workspaceOrDefault().viewsOrNone().stream()
        .map(VisiblePath::place)
        .anyMatch(place -> text.equals(place) || text.startsWith(place + "/"));
  }

  private static int most(@Nullable Integer wanted, int most) {
    return wanted == null ? most : Math.min(wanted, most);
  }

  private ConfinedFiles files(ToolCall call) {
    return new ConfinedFiles(workspaces.confinedDirectory(call.caller().agent()));
  }

  private DirectoryWalk tour(ToolCall call) {
    return new DirectoryWalk(workspaces.confinedDirectory(call.caller().agent()));
  }

  /// A tool that changes something outside the database. The result of a call is kept under its
  /// key, so that a retried turn does not repeat it.
  private record RepeatSafeTool(Tool tool) implements DelegatingTool {
    @Override
    public boolean isOpenWorld() {
      return true;
    }

    /// A transaction may be repeated, and a file that was written is not rolled back.
    @Override
    public boolean isOneTransaction() {
      return false;
    }
  }
}
