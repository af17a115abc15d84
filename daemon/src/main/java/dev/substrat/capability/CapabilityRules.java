package dev.substrat.capability;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.fault.Fault;
import dev.substrat.json.Json;
import dev.substrat.json.Schema;
import dev.substrat.json.SchemaFlaw;
import dev.substrat.protocol.ErrorCode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What configured tools and servers must be like beyond their shape.
public final class CapabilityRules {
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");
  private static final Pattern ADDRESS = Pattern.compile("(?i)https?://[^\\s/?#]+([/?#]\\S*)?");
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");
  private static final Set<String> TRANSPORTS = Set.of("http", "sse", "stdio");
  private static final int MOST = 100;

  /// What is done at once takes seconds; what takes longer is answered later.
  private static final long LONGEST_CALL = 300_000;

  /// A question that nobody answered in a year is forgotten.
  private static final long LONGEST_QUESTION = 366L * 24 * 3600 * 1000;

  private CapabilityRules() {}

  /// `taken` are names that are tools already.
  public static void requireTools(
      List<ToolConfig> tools, Set<String> taken, Environment environment) {
    require(tools.size() <= MOST, "/tools has more than " + MOST, "an agent cannot use that many");
    var names = new HashSet<String>();
    for (int i = 0; i < tools.size(); i++) {
      ToolConfig tool = tools.get(i);
      String place = "/tools/" + i;
      requireName(place, tool.name());
      require(
          !taken.contains(tool.name()),
          place + "/name is that of a built-in tool: " + tool.name(),
          "choose another");
      require(names.add(tool.name()), place + "/name is there twice", "choose another");
      requireSchema(place, tool);
      requireExecution(place, tool);
      requireAllowed(Json.tree(tool.executionOrNone()), place + "/execution", environment);
      Blanks.require(place + "/execution", tool.executionOrNone());
      middleware(tool.middleware());
    }
  }

  public static void requireServers(List<McpServer> servers, Environment environment) {
    require(servers.size() <= MOST, "/mcp/servers has more than " + MOST, "leave some out");
    var names = new HashSet<String>();
    for (int i = 0; i < servers.size(); i++) {
      McpServer server = servers.get(i);
      String place = "/mcp/servers/" + i;
      requireName(place, server.name());
      require(names.add(server.name()), place + "/name is there twice", "choose another");
      String transport = server.transport();
      require(
          transport == null || TRANSPORTS.contains(transport),
          place + "/transport must be http, sse or stdio",
          "leave it out for http");
      boolean isProgram = server.transportOrDefault() == McpServer.Transport.STDIO;
      require(
          isProgram
              ? server.command() != null && !server.command().isBlank()
              : server.url() != null,
          place + " needs " + (isProgram ? "a command" : "a url"),
          "say where the server is");
      if (!isProgram) {
        requireAddress(place + "/url", String.valueOf(server.url()));
      }
      requireTimeout(place, server.timeout(), LONGEST_CALL);
      requireAllowed(Json.tree(server), place, environment);
    }
  }

  /// Whatever is filled in later can be anything; all around it is known.
  private static void requireAddress(String place, String url) {
    boolean isFilledFirst = Filling.PLACE.matcher(url).lookingAt();
    require(
        isFilledFirst || ADDRESS.matcher(Filling.PLACE.matcher(url).replaceAll("x")).matches(),
        place + " is not an address: \"" + url + "\"",
        "write all of it, such as https://example.com/mcp");
  }

  /// What is to happen around calls, in its order.
  public static List<Middleware> middleware(@Nullable List<JsonNode> written) {
    return written == null ? List.of() : written.stream().map(Middleware::parse).toList();
  }

  private static void requireName(String place, String name) {
    require(
        NAME.matcher(name).matches(),
        place + "/name must have 1 to 64 letters, digits, _ or -, and begin with a letter",
        "choose another");
  }

  /// One that nothing can be checked against would fail every call, long after its author has gone.
  private static void requireSchema(String place, ToolConfig tool) {
    JsonNode schema = tool.inputSchema();
    if (schema == null) {
      return;
    }
    require(
        schema.path("type").asText("object").equals("object"),
        place + "/inputSchema must be that of an object",
        "arguments always have names");
    Optional<SchemaFlaw> flaw = Schema.of(schema).flaw();
    require(
        flaw.isEmpty(),
        "%s/inputSchema%s of %s is no schema: %s"
            .formatted(
                place,
                flaw.map(SchemaFlaw::place).orElse(""),
                tool.name(),
                flaw.map(SchemaFlaw::words).orElse("")),
        "correct it as JSON Schema 2020-12; a $ref leads to a place in the same schema");
  }

  private static void requireExecution(String place, ToolConfig tool) {
    Execution execution = tool.executionOrNone();
    requireWork(place, tool, execution);
    require(
        tool.executionType() != ExecutionType.INTERNAL || !Boolean.TRUE.equals(tool.visible()),
        place + " is internal and never shown",
        "leave visible out, or make it a gateway tool");
    require(
        execution.callback() == null || tool.executionType() == ExecutionType.EXTERNAL,
        place + "/execution/callback is for external tools",
        "leave it out");
    String method = execution.method();
    require(
        method == null || METHODS.contains(method),
        place + "/execution/method must be one of GET, HEAD, POST, PUT, PATCH, DELETE",
        "correct it");
    requireTimeout(
        place + "/execution",
        execution.timeout(),
        tool.isAnsweredLater() ? LONGEST_QUESTION : LONGEST_CALL);
  }

  private static void requireWork(String place, ToolConfig tool, Execution execution) {
    boolean isDone =
        execution.address() != null
            || execution.agentConfig() != null
            || execution.provider() != null;
    boolean isInternal = tool.executionType() == ExecutionType.INTERNAL;
    require(
        execution.value() == null || (isInternal && !isDone),
        place + "/execution/value is for internal tools that do nothing else",
        "leave it out, or make the tool internal and leave out whom it calls");
    require(
        isDone
            || execution.value() != null
            || !(isInternal || tool.executionType() == ExecutionType.GATEWAY),
        place + "/execution needs a url, an agentConfig or an image provider",
        "say what the tool does; an internal one may also have a value");
    require(
        tool.executionType() != ExecutionType.SPACE || !isDone,
        place + "/execution of a space tool has no url: a person does the work",
        "leave it out, or make it a gateway tool");
  }

  private static void requireTimeout(String place, @Nullable Long timeout, long most) {
    require(
        timeout == null || (timeout >= 1 && timeout <= most),
        place + "/timeout must be between 1 and " + most + " milliseconds",
        "correct it");
  }

  /// Everywhere: a secret that nobody allowed must not leave by a key nobody thought of.
  private static void requireAllowed(JsonNode value, String place, Environment environment) {
    if (value.isTextual()) {
      var found = Filling.PLACE.matcher(value.asText());
      while (found.find()) {
        if (found.group("env") != null) {
          environment.requireAllowed(found.group("env"), place);
        }
      }
    } else if (value.isArray()) {
      value.forEach(item -> requireAllowed(item, place, environment));
    } else {
      for (Map.Entry<String, JsonNode> entry : value.properties()) {
        requireAllowed(entry.getValue(), place + "/" + entry.getKey(), environment);
      }
    }
  }

  private static void require(boolean fine, String message, String hint) {
    if (!fine) {
      throw new Fault(ErrorCode.INVALID_CONFIG, message, hint);
    }
  }
}
