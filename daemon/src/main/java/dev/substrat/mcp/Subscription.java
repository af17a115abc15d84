package dev.substrat.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.Exchange;
import dev.substrat.http.Reply;
import dev.substrat.json.Json;
import dev.substrat.rpc.JsonRpc;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// `subscriptions/listen`: a request that stays open, over which a client hears of exactly those
/// changes that it named.
final class Subscription {
  /// A stream that watches more things than this should be several.
  private static final int MOST = 1_000;

  private final Host host;
  private final Message.Request request;
  private final ObjectNode wanted;
  private final Set<String> resources;
  private final Set<String> tasks;

  Subscription(Host host, Message.Request request, Client client) {
    this.host = host;
    this.request = request;
    this.wanted = request.object("notifications");
    this.resources = texts("resourceSubscriptions");
    this.tasks = texts("taskIds");
    if (!tasks.isEmpty()) {
      client.requireTasks();
    }
  }

  private Set<String> texts(String key) {
    JsonNode list = wanted.path(key);
    var texts = new LinkedHashSet<String>();
    for (JsonNode one : list) {
      if (!one.isTextual()) {
        throw Refusal.badParams("/params/notifications/" + key + " must be texts");
      }
      texts.add(one.textValue());
    }
    if (texts.size() > MOST || !(list.isMissingNode() || list.isArray())) {
      throw Refusal.badParams(
          "/params/notifications/" + key + " must be a list of at most " + MOST + " texts");
    }
    return texts;
  }

  Reply open(Exchange exchange, Offer offer) {
    tasks.removeIf(id -> offer.task(id).isEmpty());
    var admission = new Admission(exchange);
    return new Reply.Events(out -> {
      try (Watch watch = host.watch(exchange.caller())) {
        out.send("message", Json.bytes(tagged(acknowledgement())));
        out.flush();
        News.follow(out, watch, change -> told(change, offer), admission::holds);
        var goodbye = Json.object().put("resultType", "complete");
        goodbye.putObject("_meta").set(Inquiry.PROTOCOL + "subscriptionId", request.id());
        out.send("message", Json.bytes(JsonRpc.result(request.id(), goodbye)));
        out.flush();
      }
    });
  }

  private ObjectNode acknowledgement() {
    var agreed = Json.object();
    for (String key : List.of("toolsListChanged", "promptsListChanged", "resourcesListChanged")) {
      if (wanted.path(key).asBoolean()) {
        agreed.put(key, true);
      }
    }
    put(agreed, "resourceSubscriptions", resources);
    put(agreed, "taskIds", tasks);
    var params = Json.object();
    params.set("notifications", agreed);
    return JsonRpc.notification("notifications/subscriptions/acknowledged", params);
  }

  private void put(ObjectNode agreed, String key, Set<String> texts) {
    if (wanted.has(key)) {
      var list = agreed.putArray(key);
      texts.forEach(list::add);
    }
  }

  private Optional<ObjectNode> told(Change change, Offer offer) {
    boolean isWanted =
        switch (change) {
          case Change.Listing.TOOLS -> wanted.path("toolsListChanged").asBoolean();
          case Change.Listing.PROMPTS -> wanted.path("promptsListChanged").asBoolean();
          case Change.Listing.RESOURCES -> wanted.path("resourcesListChanged").asBoolean();
          case Change.Resource resource -> resources.contains(resource.uri());
          case Change.OfTask task -> tasks.contains(task.id());
        };
    if (!isWanted) {
      return Optional.empty();
    }
    if (change instanceof Change.OfTask task) {
      return offer
          .task(task.id())
          .map(state -> tagged(JsonRpc.notification("notifications/tasks", state.whole())));
    }
    return Optional.of(tagged(News.message(change)));
  }

  /// Says which of a client's streams it belongs to.
  private ObjectNode tagged(ObjectNode notification) {
    var params = (ObjectNode) notification.path("params");
    params.withObjectProperty("_meta").set(Inquiry.PROTOCOL + "subscriptionId", request.id());
    return notification;
  }
}
