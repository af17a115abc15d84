package dev.substrat.server.api.memory;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.memory.BrainEntries;
import dev.substrat.memory.BrainEntry;
import dev.substrat.memory.MemoryAuthor;
import dev.substrat.memory.MemoryFeatures;
import dev.substrat.memory.Passages;
import dev.substrat.memory.search.Passage;
import dev.substrat.memory.search.PassageHit;
import dev.substrat.platform.identity.Scope;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// HTTP routes of passages and brain entries.
public final class PassageRoutes {
  private static final int PAGE = 200;
  private static final String PASSAGES = "/api/agents/{id}/passages";
  private static final String BRAIN = "/api/agents/{id}/brain";
  private static final String EVERY = "true: return all entries, page by page, ordered by id.";
  private static final String TAGS = "Only entries with all of these tags, separated by commas.";

  private final MemoryFeatures memory;

  public PassageRoutes(MemoryFeatures memory) {
    this.memory = memory;
  }

  public List<HttpRoute> routes() {
    return Stream.of(passages(), brain()).flatMap(List::stream).toList();
  }

  private List<HttpRoute> passages() {
    return List.of(
        HttpRoute.read(PASSAGES, Scope.MEMORY_READ, "Search the passages of an agent.", this::find)
            .withQuery(
                "q",
                "Words that must all occur; \"exact phrase\", OR between alternatives. "
                    + "Default: the newest passages.")
            .withQuery("tags", TAGS)
            .withQuery("limit", "Maximum number of passages, up to 200.")
            .withQuery("all", EVERY)
            .withQuery("after", "With all: `next` of the previous page."),
        HttpRoute.write(
            PASSAGES,
            Scope.MEMORY_WRITE,
            "Store a passage for an agent.",
            NewPassage.class,
            this::store),
        HttpRoute.remove(
            PASSAGES + "/{passage}",
            Scope.MEMORY_WRITE,
            "Delete a passage permanently.",
            exchange -> {
              memory
                  .passages()
                  .delete(agent(exchange), exchange.name("passage"), MemoryAuthor.operator(null));
              return HttpReply.noContent();
            }));
  }

  private List<HttpRoute> brain() {
    return List.of(
        HttpRoute.read(BRAIN, Scope.MEMORY_READ, "Search brain entries of an agent.", this::query)
            .withQuery("q", "Text that an entry contains. Default: all entries.")
            .withQuery("tags", TAGS)
            .withQuery("limit", "Maximum number of entries, up to 200.")
            .withQuery("all", EVERY)
            .withQuery("after", "With all: `next` of the previous page."),
        HttpRoute.write(
            BRAIN,
            Scope.MEMORY_WRITE,
            "Create a brain entry of an agent.",
            BrainEntries.BrainEntryDraft.class,
            exchange ->
                HttpReply.created(
                    memory
                        .brain()
                        .create(
                            agent(exchange),
                            exchange.body(BrainEntries.BrainEntryDraft.class),
                            MemoryAuthor.operator(null)))),
        HttpRoute.replace(
            BRAIN + "/{entry}",
            Scope.MEMORY_WRITE,
            "Change a brain entry; omitted fields do not change.",
            BrainEntries.BrainEntryChange.class,
            this::update),
        HttpRoute.remove(
            BRAIN + "/{entry}",
            Scope.MEMORY_WRITE,
            "Delete a brain entry.",
            exchange -> {
              memory
                  .brain()
                  .delete(agent(exchange), exchange.name("entry"), MemoryAuthor.operator(null));
              return HttpReply.noContent();
            }));
  }

  /// A passage to store.
  public record NewPassage(
      String content, @JsonPropertyDescription("Tags of the entry.") @Nullable List<String> tags) {}

  /// Best first; `next` is the position of the next page, if all were requested and there may be
  /// more.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record PassageSearchResult(List<PassageHit> passages, @Nullable String next) {}

  /// Newest first; `next` as for passages.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record BrainEntryPage(List<BrainEntry> entries, @Nullable String next) {}

  private HttpReply find(HttpExchange exchange) {
    if (exchange.flag("all")) {
      int limit = exchange.limit(PAGE);
      List<Passage> page = memory.passages().page(agent(exchange), after(exchange), limit);
      return HttpReply.ok(
          new PassageSearchResult(
              page.stream().map(PassageHit::listed).toList(),
              page.size() < limit ? null : page.getLast().id()));
    }
    return HttpReply.ok(
        new PassageSearchResult(
            memory
                .passages()
                .find(agent(exchange), text(exchange), tags(exchange), exchange.limit(PAGE)),
            null));
  }

  private HttpReply store(HttpExchange exchange) {
    var wanted = exchange.body(NewPassage.class);
    var text =
        new Passages.PassageDraft(
            wanted.content(), wanted.tags() == null ? List.of() : wanted.tags());
    return HttpReply.created(
        memory.passages().add(agent(exchange), text, MemoryAuthor.operator(null)));
  }

  private HttpReply query(HttpExchange exchange) {
    if (exchange.flag("all")) {
      int limit = exchange.limit(PAGE);
      List<BrainEntry> page = memory.brain().page(agent(exchange), after(exchange), limit);
      return HttpReply.ok(
          new BrainEntryPage(page, page.size() < limit ? null : page.getLast().id()));
    }
    return HttpReply.ok(
        new BrainEntryPage(
            memory
                .brain()
                .query(agent(exchange), text(exchange), tags(exchange), exchange.limit(PAGE)),
            null));
  }

  private HttpReply update(HttpExchange exchange) {
    return HttpReply.ok(
        memory
            .brain()
            .update(
                agent(exchange),
                exchange.name("entry"),
                exchange.body(BrainEntries.BrainEntryChange.class),
                MemoryAuthor.operator(null)));
  }

  private static String agent(HttpExchange exchange) {
    return exchange.name("id");
  }

  private static String after(HttpExchange exchange) {
    return exchange.query("after").orElse("");
  }

  private static String text(HttpExchange exchange) {
    return exchange.query("q").orElse("");
  }

  private static List<String> tags(HttpExchange exchange) {
    return exchange.query("tags").stream()
        .flatMap(all -> Stream.of(all.split(",")))
        .map(String::strip)
        .filter(tag -> !tag.isEmpty())
        .toList();
  }
}
