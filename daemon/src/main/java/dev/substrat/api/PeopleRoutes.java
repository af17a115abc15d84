package dev.substrat.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.http.Exchange;
import dev.substrat.http.Reply;
import dev.substrat.http.Route;
import dev.substrat.http.Route.Access;
import dev.substrat.person.People;
import dev.substrat.person.Person;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// People over HTTP: whom the operator has let in.
public final class PeopleRoutes {
  private static final int LARGEST_PAGE = 200;

  private final People people;

  public PeopleRoutes(People people) {
    this.people = people;
  }

  /// Somebody to let in.
  public record NewPerson(
      @JsonPropertyDescription("A handle that no agent and no other person has.") String name,
      @Nullable String displayName) {}

  /// How a person is shown.
  public record Naming(
      @JsonPropertyDescription("At most 80 characters on one line.")
          @Nullable String displayName) {}

  /// A person as others see them.
  @JsonInclude(JsonInclude.Include.ALWAYS)
  record PersonView(String name, @Nullable String displayName, Instant createdAt) {
    static PersonView of(Person person) {
      return new PersonView(person.name(), person.displayName(), person.createdAt());
    }
  }

  /// `next` is where the following page begins, if there may be one.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Page(List<PersonView> people, @Nullable String next) {}

  public List<Route> routes() {
    return List.of(
        Route.read("/api/people", Access.OPERATOR, "People, by name.", this::list)
            .taking("limit", "How many, at most " + LARGEST_PAGE + ".")
            .taking("after", "`next` of the page before."),
        Route.read(
            "/api/lookalikes",
            Access.OPERATOR,
            "Names of agents and people that look like each other or like a reserved word.",
            _ -> Reply.ok(Map.of("groups", people.lookAlikes()))),
        Route.write(
                "/api/people",
                Access.OPERATOR,
                "Lets somebody in; also one who was removed, as who they were.",
                NewPerson.class,
                this::create)
            .taking("dryRun", "true: check it, change nothing."),
        Route.replace(
            "/api/people/{name}",
            Access.OPERATOR,
            "Changes the display name of a person; left out: their name is shown.",
            Naming.class,
            exchange ->
                Reply.ok(
                    PersonView.of(
                        people.rename(
                            exchange.name("name"), exchange.body(Naming.class).displayName())))),
        Route.remove(
            "/api/people/{name}",
            Access.OPERATOR,
            "Removes a person and revokes their tokens; what they wrote stays.",
            this::remove));
  }

  private Reply list(Exchange exchange) {
    int limit = exchange.limit(LARGEST_PAGE);
    List<PersonView> page =
        people.list(exchange.query("after").orElse(""), limit).stream()
            .map(PersonView::of)
            .toList();
    return Reply.ok(new Page(page, page.size() < limit ? null : page.getLast().name()));
  }

  private Reply create(Exchange exchange) {
    var wanted = exchange.body(NewPerson.class);
    if (exchange.flag("dryRun")) {
      people.rehearse(wanted.name(), wanted.displayName());
      return Reply.ok(Map.of("dryRun", true));
    }
    return Reply.created(PersonView.of(people.create(wanted.name(), wanted.displayName())));
  }

  private Reply remove(Exchange exchange) {
    people.remove(exchange.name("name"));
    return Reply.noContent();
  }
}
