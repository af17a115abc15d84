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

/// HTTP routes of people and their roles.
public final class PeopleRoutes {
  private static final int MAX_PAGE_SIZE = 200;

  private final People people;

  public PeopleRoutes(People people) {
    this.people = people;
  }

  /// A person to add.
  public record NewPerson(
      @JsonPropertyDescription("Unique among the handles of agents and people.") String name,
      @Nullable String displayName,
      @JsonPropertyDescription("Role: owner, operator, member (default) or viewer.")
          @Nullable String role) {}

  /// New display name and role of a person.
  public record PersonUpdate(
      @JsonPropertyDescription("At most 80 characters on one line.") @Nullable String displayName,
      @JsonPropertyDescription("Role: owner, operator, member or viewer. Default: unchanged.")
          @Nullable String role) {}

  /// A person in a response.
  @JsonInclude(JsonInclude.Include.ALWAYS)
  record PersonView(String name, @Nullable String displayName, String role, Instant createdAt) {
    static PersonView of(Person person) {
      return new PersonView(
          person.name(), person.displayName(), person.role().word(), person.createdAt());
    }
  }

  /// `next` is the position of the next page, if there may be one.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record PersonPage(List<PersonView> people, @Nullable String next) {}

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read("/api/people", Scope.PEOPLE_READ, "List people, by name.", this::list)
            .withQuery("limit", "Maximum number of people, up to " + MAX_PAGE_SIZE + ".")
            .withQuery("after", "`next` of the previous page."),
        HttpRoute.read(
            "/api/lookalikes",
            Scope.PEOPLE_READ,
            "List names of agents and people that look like each other or like a reserved word.",
            _ -> HttpReply.ok(Map.of("groups", people.lookAlikes()))),
        HttpRoute.write(
                "/api/people",
                Scope.PEOPLE_WRITE,
                "Add a person, or add a removed person again with the same identity.",
                NewPerson.class,
                this::create)
            .withQuery("dryRun", "true: validate only."),
        HttpRoute.replace(
            "/api/people/{name}",
            Scope.PEOPLE_WRITE,
            "Change the display name (default: the name) and the role (default: unchanged) of a"
                + " person. It takes effect immediately.",
            PersonUpdate.class,
            this::update),
        HttpRoute.remove(
            "/api/people/{name}",
            Scope.PEOPLE_WRITE,
            "Remove a person and revoke their tokens; their messages stay.",
            this::remove));
  }

  private HttpReply list(HttpExchange exchange) {
    int limit = exchange.limit(MAX_PAGE_SIZE);
    List<PersonView> page =
        people.list(exchange.query("after").orElse(""), limit).stream()
            .map(PersonView::of)
            .toList();
    return HttpReply.ok(new PersonPage(page, page.size() < limit ? null : page.getLast().name()));
  }

  private HttpReply update(HttpExchange exchange) {
    var naming = exchange.body(PersonUpdate.class);
    var wanted =
        new People.PersonRequest(exchange.name("name"), naming.displayName(), role(naming.role()));
    return HttpReply.ok(PersonView.of(people.update(exchange.admission(), wanted)));
  }

  private static @Nullable Role role(@Nullable String word) {
    return word == null ? null : Role.parse(word);
  }

  private HttpReply create(HttpExchange exchange) {
    var person = exchange.body(NewPerson.class);
    var wanted = new People.PersonRequest(person.name(), person.displayName(), role(person.role()));
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
