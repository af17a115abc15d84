package dev.substrat.provider.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.agentcli.ToolNameMapping;
import dev.substrat.toolset.approval.ApprovalRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// Decides which actions of an ACP program need no approval: all actions in a sandbox; otherwise
/// calls of the agent's tools, thinking, and reading files of the workspace.
///
/// A title is free text, often a command, so it must match the name of a tool exactly.
public record AcpPermissions(boolean isSandboxed, Path directory, ToolNameMapping tools) {
  private static final Set<String> READ_KINDS = Set.of("read", "search");
  private static final Set<String> WRITE_KINDS =
      Set.of("execute", "edit", "delete", "move", "fetch");

  /// An approval is valid once, and a rejected action may be approved later.
  static final List<String> ONCE = List.of("allow_once");

  public static final List<String> ANY_TIME = List.of("allow_once", "allow_always");
  public static final List<String> NOT_NOW = List.of("reject_once");

  public boolean mayDo(JsonNode call) {
    String kind = call.path("kind").asText();
    return isSandboxed
        || kind.equals("think")
        || (!WRITE_KINDS.contains(kind) && tools.has(call.path("title").asText()))
        || (READ_KINDS.contains(kind) && isInside(call.path("locations")));
  }

  /// Whether all locations of the call are in the workspace after links are resolved. A call
  /// without locations is not.
  private boolean isInside(JsonNode locations) {
    try {
      Path workspace = directory.toRealPath();
      for (JsonNode location : locations) {
        Path wanted = directory.resolve(location.path("path").asText()).normalize();
        if (!existing(wanted).toRealPath().startsWith(workspace)) {
          return false;
        }
      }
      return !locations.isEmpty();
    } catch (IOException | InvalidPathException e) {
      return false;
    }
  }

  /// The path, or its deepest existing parent.
  private static Path existing(Path path) {
    Path at = path;
    while (at.getParent() != null && !Files.exists(at)) {
      at = at.getParent();
    }
    return at;
  }

  /// Request for a person's approval. It contains all details that the approved action must repeat.
  static ApprovalRequest approvalRequest(JsonNode call) {
    var details = Json.object();
    for (String key : List.of("rawInput", "locations", "content")) {
      if (!call.path(key).isMissingNode()) {
        details.set(key, call.path(key));
      }
    }
    return new ApprovalRequest(call.path("title").asText(), call.path("kind").asText(), details);
  }

  /// Whether the program offers an option that allows the action only once.
  public static boolean canAllowOnce(JsonNode options) {
    return choice(options, ONCE).at("/outcome/optionId").isTextual();
  }

  /// Selects the first option of one of these kinds; if there is none, the action is rejected.
  public static ObjectNode choice(JsonNode options, List<String> kinds) {
    var answer = Json.object();
    ObjectNode outcome = answer.putObject("outcome");
    for (String kind : kinds) {
      for (JsonNode option : options) {
        if (option.path("kind").asText().equals(kind)) {
          outcome.put("outcome", "selected").put("optionId", option.path("optionId").asText());
          return answer;
        }
      }
    }
    outcome.put("outcome", "cancelled");
    return answer;
  }
}
