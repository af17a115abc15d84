package dev.substrat.team;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.platform.json.OffKeyword;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Workspace configuration: directory, visible paths, sandbox, network. Only people set it; spawned
/// agents inherit their parent's.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WorkspaceConfig(
    @JsonPropertyDescription("Absolute path. Default: a directory that the daemon creates.")
        @Nullable String path,
    @JsonPropertyDescription(
            "own (default): a directory of its own; shared: the parent's workspace; worktree: a Git"
                + " worktree.")
        @Nullable String mode,
    @JsonPropertyDescription(
            "Further directories of the daemon's machine that the agent's programs see.")
        @Nullable List<VisiblePath> views,
    @JsonPropertyDescription(
            "auto (default): use a sandbox if available; required: start nothing without one; off:"
                + " no sandbox.")
        @OffKeyword
        @Nullable String sandbox,
    @JsonPropertyDescription(
            "Network access of the agent's programs. Default: true for the provider's program,"
                + " false for commands.")
        @Nullable Boolean network) {

  public static final WorkspaceConfig DEFAULT = new WorkspaceConfig(null, null, null, null, null);

  /// A path of this machine that is visible inside.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record VisiblePath(
      @JsonPropertyDescription("An absolute path.") String path,
      @JsonPropertyDescription(
              "Path at which the agent sees the directory. Default: the same path.")
          @Nullable String as,
      @JsonPropertyDescription("ro (default): read only; rw: read and write.")
          @Nullable String mode) {
    @JsonIgnore
    public boolean isWritable() {
      return "rw".equals(mode);
    }

    public String place() {
      return as == null ? path : as;
    }
  }

  /// Whether it uses the directory of its parent.
  @JsonIgnore
  public boolean isShared() {
    return "shared".equals(mode);
  }

  /// Whether agents below it, and the agent itself below a parent, work on their own branches.
  @JsonIgnore
  public boolean isWorktree() {
    return "worktree".equals(mode);
  }

  @JsonIgnore
  public boolean isSandboxed() {
    return !"off".equals(sandbox);
  }

  public boolean requiresSandbox() {
    return "required".equals(sandbox);
  }

  public List<VisiblePath> viewsOrNone() {
    return views == null ? List.of() : views;
  }

  /// Workspace of spawned agents: all but the path, which is inside their parent's.
  public WorkspaceConfig inherited() {
    return new WorkspaceConfig(null, isWorktree() ? mode : null, views, sandbox, network);
  }

  void require(boolean hasParent) {
    requireOneOf("/workspace/mode", mode, List.of("own", "shared", "worktree"));
    requireOneOf("/workspace/sandbox", sandbox, List.of("auto", "required", "off"));
    if (path != null) {
      requireAbsolute("/workspace/path", path);
      if (isShared() || (isWorktree() && hasParent)) {
        throw invalid(
            "/workspace/path needs `mode: own`", "remove the key `path`, or set `mode: own`");
      }
    }
    if (isShared() && !hasParent) {
      throw invalid(
          "/workspace/mode: `shared` needs a parent agent", "set a parent, or use mode own");
    }
    for (int i = 0; i < viewsOrNone().size(); i++) {
      VisiblePath view = viewsOrNone().get(i);
      String pointer = "/workspace/views/" + i;
      requireAbsolute(pointer + "/path", view.path());
      requireAbsolute(pointer + "/as", view.place());
      requireOneOf(pointer + "/mode", view.mode(), List.of("ro", "rw"));
    }
  }

  private static void requireAbsolute(String pointer, String path) {
    boolean isPlain = path.startsWith("/") && path.chars().noneMatch(c -> c < ' ');
    if (!isPlain || List.of(path.split("/")).contains("..")) {
      throw invalid(pointer + " must be an absolute path without ..", "for example /srv/project");
    }
  }

  private static void requireOneOf(String pointer, @Nullable String word, List<String> words) {
    if (word != null && !words.contains(word)) {
      throw invalid(
          pointer + " cannot be \"" + word + "\"", "use one of: " + String.join(", ", words));
    }
  }

  private static Fault invalid(String message, String hint) {
    return ErrorCode.INVALID_CONFIG.fault(message, hint);
  }
}
