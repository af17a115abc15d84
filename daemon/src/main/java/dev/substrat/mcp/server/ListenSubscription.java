package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.mcp.spi.CatalogChange;
import dev.substrat.mcp.spi.ChangeWatch;
import dev.substrat.mcp.spi.McpCatalog;
import dev.substrat.mcp.spi.McpCatalogSource;
import dev.substrat.mcp.spi.McpClientInfo;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.mcp.wire.JsonRpc;
import dev.substrat.platform.json.Json;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// `subscriptions/listen`: a long-lived request over which a client is notified of the changes that
/// it named.
final class ListenSubscription {
  /// Maximum number of entries per list; use several streams for more.
  private static final int MAX_COUNT = 1_000;

  /// Maximum total length of one list: a thousand task ids need less than half of it.
  private static final int MAX_CHARACTERS = 100_000;

  /// It is stored as long as the stream is open.
  private static final int MAX_ID_LENGTH = 1_000;

  private static final List<String> LISTINGS =
      List.of("toolsListChanged", "promptsListChanged", "resourcesListChanged");

  private final McpCatalogSource host;
  private final JsonNode id;

  /// Those of [#LISTINGS] that the client subscribed to. The request itself is not stored: it may
  /// be large, and the stream stays open for long.
  private final Set<String> listings;

  private final boolean hasResources;
  private final Set<String> resources;
  private final boolean hasTasks;
  private final Set<String> tasks;

  ListenSubscription(
      McpCatalogSource host, ClientMessage.ClientRequest request, McpClientInfo client) {
    this.host = host;
    this.id = request.id();
    if (id.asText().length() > MAX_ID_LENGTH) {
      throw ProtocolError.badParams("/id has more than " + MAX_ID_LENGTH + " characters");
    }
    ObjectNode wanted = request.object("notifications");
    this.listings =
        LISTINGS.stream()
            .filter(key -> wanted.path(key).asBoolean())
            .collect(Collectors.toUnmodifiableSet());
    this.hasResources = wanted.has("resourceSubscriptions");
    this.resources = texts(wanted, "resourceSubscriptions");
    this.hasTasks = wanted.has("taskIds");
    this.tasks = texts(wanted, "taskIds");
    if (!tasks.isEmpty()) {
      client.requireTasks();
    }
  }

  private static Set<String> texts(ObjectNode wanted, String key) {
    JsonNode list = wanted.path(key);
    var texts = new LinkedHashSet<String>();
    int characters = 0;
    for (JsonNode one : list) {
      if (!one.isTextual()) {
        throw ProtocolError.badParams(
            "/params/notifications/" + key + " must be a list of strings");
      }
      characters += one.textValue().length();
      texts.add(one.textValue());
    }
    if (characters > MAX_CHARACTERS) {
      throw ProtocolError.badParams(
          "/params/notifications/" + key + " has more than " + MAX_CHARACTERS + " characters");
    }
    if (texts.size() > MAX_COUNT || !(list.isMissingNode() || list.isArray())) {
      throw ProtocolError.badParams(
          "/params/notifications/" + key + " must be a list of at most " + MAX_COUNT + " strings");
    }
    return texts;
  }

  HttpReply open(HttpExchange exchange, McpCatalog offer) {
    tasks.removeIf(id -> offer.task(id).isEmpty());
    var admission = new StreamAccessCheck(exchange);
    return new HttpReply.EventStreamReply(out -> {
      try (ChangeWatch watch = host.watch(exchange.caller())) {
        out.send("message", Json.bytes(tagged(acknowledgement())));
        out.flush();
        ChangeStream.follow(out, watch, change -> toMessage(change, offer), admission::holds);
        var goodbye = Json.object().put("resultType", "complete");
        goodbye.putObject("_meta").set(McpExchange.PROTOCOL + "subscriptionId", id);
        out.send("message", Json.bytes(JsonRpc.result(id, goodbye)));
        out.flush();
      }
    });
  }

  private ObjectNode acknowledgement() {
    var agreed = Json.object();
    LISTINGS.stream().filter(listings::contains).forEach(key -> agreed.put(key, true));
    if (hasResources) {
      put(agreed, "resourceSubscriptions", resources);
    }
    if (hasTasks) {
      put(agreed, "taskIds", tasks);
    }
    var params = Json.object();
    params.set("notifications", agreed);
    return JsonRpc.notification("notifications/subscriptions/acknowledged", params);
  }

  private static void put(ObjectNode agreed, String key, Set<String> texts) {
    var list = agreed.putArray(key);
    texts.forEach(list::add);
  }

  private Optional<ObjectNode> toMessage(CatalogChange change, McpCatalog offer) {
    boolean isWanted =
        switch (change) {
          case CatalogChange.CatalogListChange.TOOLS -> listings.contains("toolsListChanged");
          case CatalogChange.CatalogListChange.PROMPTS -> listings.contains("promptsListChanged");
          case CatalogChange.CatalogListChange.RESOURCES ->
              listings.contains("resourcesListChanged");
          case CatalogChange.ResourceChange resource -> resources.contains(resource.uri());
          case CatalogChange.TaskChange task -> tasks.contains(task.id());
        };
    if (!isWanted) {
      return Optional.empty();
    }
    if (change instanceof CatalogChange.TaskChange task) {
      return offer
          .task(task.id())
          .map(state -> tagged(JsonRpc.notification("notifications/tasks", state.full())));
    }
    return Optional.of(tagged(ChangeStream.message(change)));
  }

  /// Adds the id of the subscription.
  private ObjectNode tagged(ObjectNode notification) {
    var params = (ObjectNode) notification.path("params");
    params.withObjectProperty("_meta").set(McpExchange.PROTOCOL + "subscriptionId", id);
    return notification;
  }
}
