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

/// Actions that an ACP program may do without asking a person: any in a sandbox; otherwise only
/// calls of the agent's tools, thinking, and reading its workspace.
///
/// A title is free text, often the command itself, so it must be exactly the name of a tool.
public record AcpPermissions(boolean isWalled, Path directory, ToolNameMapping tools) {
  private static final Set<String> LOOKING = Set.of("read", "search");
  private static final Set<String> ACTING = Set.of("execute", "edit", "delete", "move", "fetch");

  /// What a person allows is allowed this time only, and what is refused may be allowed later.
  static final List<String> ONCE = List.of("allow_once");

  public static final List<String> ANY_TIME = List.of("allow_once", "allow_always");
  public static final List<String> NOT_NOW = List.of("reject_once");

  public boolean mayDo(JsonNode call) {
    String kind = call.path("kind").asText();
    return isWalled
        || kind.equals("think")
        || (!ACTING.contains(kind) && tools.has(call.path("title").asText()))
        || (LOOKING.contains(kind) && isInside(call.path("locations")));
  }

  /// True if it says where it looks, and all of that is in the workspace, wherever links lead.
  private boolean isInside(JsonNode locations) {
    try {
      Path room = directory.toRealPath();
      for (JsonNode location : locations) {
        Path wanted = directory.resolve(location.path("path").asText()).normalize();
        if (!existing(wanted).toRealPath().startsWith(room)) {
          return false;
        }
      }
      return !locations.isEmpty();
    } catch (IOException | InvalidPathException e) {
      return false;
    }
  }

  /// The path, or as much of it as there is.
  private static Path existing(Path path) {
    Path at = path;
    while (at.getParent() != null && !Files.exists(at)) {
      at = at.getParent();
    }
    return at;
  }

  /// What a person has to know to allow it, and all that it must be the next time.
  static ApprovalRequest wish(JsonNode call) {
    var details = Json.object();
    for (String key : List.of("rawInput", "locations", "content")) {
      if (!call.path(key).isMissingNode()) {
        details.set(key, call.path(key));
      }
    }
    return new ApprovalRequest(call.path("title").asText(), call.path("kind").asText(), details);
  }

  /// Whether something can be allowed this time without being allowed for good.
  public static boolean canAllowOnce(JsonNode options) {
    return choice(options, ONCE).at("/outcome/optionId").isTextual();
  }

  /// The first of its options that is of one of these kinds; none is a refusal as well.
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
