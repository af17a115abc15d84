package dev.substrat.team.toolconfig;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Remote MCP server whose tools an agent may use: at a URL, or a program that the daemon starts.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record McpServerConfig(
    @JsonPropertyDescription(
            "Name of the server; prefix of a tool's name if two servers have a tool of the same"
                + " name.")
        String name,
    @JsonPropertyDescription("URL, for http and sse.") @Nullable String url,
    @JsonPropertyDescription("http (default with a url), sse, or stdio (default with a command).")
        @Nullable String transport,
    @JsonPropertyDescription("HTTP headers of every request; may contain ${env.X}.")
        @Nullable Map<String, String> headers,
    @JsonPropertyDescription("Names of the tools to use. Default: all.")
        @Nullable List<String> allowedTools,
    @JsonPropertyDescription("For stdio: program to start; a person must approve it first.")
        @Nullable String command,
    @Nullable List<String> args,
    @JsonPropertyDescription(
            "Environment variables in addition to a minimal set; may contain ${env.X}.")
        @Nullable Map<String, String> env,
    @JsonPropertyDescription("For stdio: true allows network access. Default: false.")
        @Nullable Boolean network,
    @JsonPropertyDescription(
            "For stdio: files and directories that the program can use. If set, the program sees"
                + " only these, system programs and its own package.")
        @Nullable List<PathAccess> paths,
    @JsonPropertyDescription("Timeout of a call in milliseconds. Default: 30000.")
        @Nullable Long timeout,
    @JsonPropertyDescription(
            "Seconds until a call becomes pending, 0 to 50; default 4 in a turn, 30 for external"
                + " agents.")
        @Nullable Integer inlineSeconds,
    @JsonPropertyDescription("true: show calls and results in the agent's space. Default: false.")
        @Nullable Boolean visible,
    @JsonPropertyDescription("Options of individual tools, by the tool's name on the server.")
        @Nullable Map<String, ToolOptions> tools) {

  /// Options of one tool.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ToolOptions(
      @JsonPropertyDescription(
              "true: show calls of this tool in the agent's space. Default: `visible` of the"
                  + " server.")
          @Nullable Boolean visible) {}

  /// A file or directory of this machine that a server's program may use.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record PathAccess(
      @JsonPropertyDescription("An absolute path on the daemon's machine.") String path,
      @JsonPropertyDescription("ro: read only (default). rw: read and write.")
          @Nullable String mode) {
    @JsonIgnore
    public boolean isWritable() {
      return "rw".equals(mode);
    }

    /// The same with the mode written out: a missing one and `ro` are equal.
    PathAccess complete() {
      return new PathAccess(path, isWritable() ? "rw" : "ro");
    }
  }

  /// Transports.
  public enum ServerTransport {
    HTTP,
    SSE,
    STDIO
  }

  /// Whether people see the calls of a tool in spaces.
  public boolean shows(String tool) {
    ToolOptions options = tools == null ? null : tools.get(tool);
    Boolean own = options == null ? null : options.visible();
    return Boolean.TRUE.equals(own == null ? visible : own);
  }

  /// Whether an agent may have a tool of it, if there is one of that name.
  public boolean allows(String tool) {
    return allowedTools == null || allowedTools.contains(tool);
  }

  /// The paths its program may use, in a fixed order and with their modes.
  public List<PathAccess> pathsOrNone() {
    return paths == null
        ? List.of()
        : paths.stream()
            .map(PathAccess::complete)
            .sorted(Comparator.comparing(PathAccess::path))
            .toList();
  }

  /// Effective value.
  @JsonIgnore
  public ServerTransport transportOrDefault() {
    if (transport == null) {
      return command == null ? ServerTransport.HTTP : ServerTransport.STDIO;
    }
    return switch (transport) {
      case "sse" -> ServerTransport.SSE;
      case "stdio" -> ServerTransport.STDIO;
      default -> ServerTransport.HTTP;
    };
  }
}
