package dev.substrat.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.access.person.People;
import dev.substrat.access.person.Person;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Role;
import dev.substrat.platform.identity.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// People over HTTP: who they are and which roles they have.
public final class PeopleRoutes {
  private static final int LARGEST_PAGE = 200;

  private final People people;

  public PeopleRoutes(People people) {
    this.people = people;
  }

  /// Somebody to let in.
  public record NewPerson(
      @JsonPropertyDescription("A handle that no agent and no other person has.") String name,
      @Nullable String displayName,
      @JsonPropertyDescription("owner, operator, member (default) or viewer.")
          @Nullable String role) {}

  /// How a person is shown and what they may do.
  public record Naming(
      @JsonPropertyDescription("At most 80 characters on one line.") @Nullable String displayName,
      @JsonPropertyDescription("owner, operator, member or viewer; left out: unchanged.")
          @Nullable String role) {}

  /// A person as others see them.
  @JsonInclude(JsonInclude.Include.ALWAYS)
  record PersonView(String name, @Nullable String displayName, String role, Instant createdAt) {
    static PersonView of(Person person) {
      return new PersonView(
          person.name(), person.displayName(), person.role().word(), person.createdAt());
    }
  }

  /// `next` is where the following page begins, if there may be one.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Page(List<PersonView> people, @Nullable String next) {}

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read("/api/people", Scope.PEOPLE_READ, "People, by name.", this::list)
            .withQuery("limit", "How many, at most " + LARGEST_PAGE + ".")
            .withQuery("after", "`next` of the page before."),
        HttpRoute.read(
            "/api/lookalikes",
            Scope.PEOPLE_READ,
            "Names of agents and people that look like each other or like a reserved word.",
            _ -> HttpReply.ok(Map.of("groups", people.lookAlikes()))),
        HttpRoute.write(
                "/api/people",
                Scope.PEOPLE_WRITE,
                "Lets somebody in; also one who was removed, as who they were.",
                NewPerson.class,
                this::create)
            .withQuery("dryRun", "true: check it, change nothing."),
        HttpRoute.replace(
            "/api/people/{name}",
            Scope.PEOPLE_WRITE,
            "Changes the display name of a person (left out: their name is shown) and the role"
                + " (left out: unchanged). It takes effect at once.",
            Naming.class,
            this::update),
        HttpRoute.remove(
            "/api/people/{name}",
            Scope.PEOPLE_WRITE,
            "Removes a person and revokes their tokens; what they wrote stays.",
            this::remove));
  }

  private HttpReply list(HttpExchange exchange) {
    int limit = exchange.limit(LARGEST_PAGE);
    List<PersonView> page =
        people.list(exchange.query("after").orElse(""), limit).stream()
            .map(PersonView::of)
            .toList();
    return HttpReply.ok(new Page(page, page.size() < limit ? null : page.getLast().name()));
  }

  private HttpReply update(HttpExchange exchange) {
    var naming = exchange.body(Naming.class);
    var wanted =
        new People.Wanted(exchange.name("name"), naming.displayName(), role(naming.role()));
    return HttpReply.ok(PersonView.of(people.update(exchange.admission(), wanted)));
  }

  private static @Nullable Role role(@Nullable String word) {
    return word == null ? null : Role.parse(word);
  }

  private HttpReply create(HttpExchange exchange) {
    var person = exchange.body(NewPerson.class);
    var wanted = new People.Wanted(person.name(), person.displayName(), role(person.role()));
    if (exchange.flag("dryRun")) {
      people.rehearse(exchange.admission(), wanted);
      return HttpReply.ok(Map.of("dryRun", true));
    }
    return HttpReply.created(PersonView.of(people.create(exchange.admission(), wanted)));
  }

  private HttpReply remove(HttpExchange exchange) {
    people.remove(exchange.admission(), exchange.name("name"));
    return HttpReply.noContent();
  }
}
