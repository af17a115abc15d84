package dev.substrat.server.console.runs;

import dev.substrat.console.ConsoleSection;
import dev.substrat.console.runs.ReplayResult;
import dev.substrat.console.runs.RunRow;
import dev.substrat.console.runs.RunsPage;
import dev.substrat.console.runs.RunsPage.AgentFilterOptions;
import dev.substrat.console.runs.RunsPage.RunSearch;
import dev.substrat.http.server.FormData;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Scope;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.server.console.FlashMessage;
import dev.substrat.server.console.PageFrames;
import dev.substrat.server.console.PageReply;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.replay.ProviderOverride;
import dev.substrat.turn.replay.RunForks;
import dev.substrat.turn.replay.RunReplays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Pages of runs: list, details, cancel, replay, fork.
public final class RunPages {
  private static final int PAGE = 50;

  /// Maximum number of agents in the filter; the URL accepts any handle.
  private static final int AGENTS = 500;

  private final Engine engine;
  private final PageFrames frames;
  private final RunReplays replays;
  private final RunPageReader records;

  public RunPages(Engine engine, PageFrames frames, RunReplays replays) {
    this.engine = engine;
    this.frames = frames;
    this.replays = replays;
    this.records = new RunPageReader(engine, frames);
  }

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read("/runs", Scope.RUNS_READ, "All runs.", this::list),
        HttpRoute.read("/runs/{id}", Scope.RUNS_READ, "One run.", this::show),
        HttpRoute.write(
            "/runs/{id}/cancel", Scope.RUNS_WRITE, "Cancels a running turn.", null, this::cancel),
        HttpRoute.write(
            "/runs/{id}/replay", Scope.RUNS_WRITE, "Replays a run.", null, this::replay),
        HttpRoute.write("/runs/{id}/fork", Scope.RUNS_WRITE, "Forks a run.", null, this::fork));
  }

  private HttpReply list(HttpExchange exchange) {
    var frame = frames.around(exchange, ConsoleSection.RUNS, "Runs");
    var search =
        new RunSearch(query(exchange, "agent"), query(exchange, "status"), before(exchange));
    var page =
        engine.read(tx -> {
          List<RunRow> found = RunList.found(tx, exchange.caller(), search, PAGE + 1);
          List<RunRow> shown = found.subList(0, Math.min(PAGE, found.size()));
          @Nullable String older = found.size() > PAGE ? shown.getLast().id() : null;
          List<String> agents = agents(tx, search);
          boolean isCut = agents.size() > AGENTS;
          return new RunsPage(
              frame,
              frames.now(),
              search,
              new AgentFilterOptions(agents.subList(0, Math.min(AGENTS, agents.size())), isCut),
              shown,
              older);
        });
    return PageReply.ok(page);
  }

  private static String query(HttpExchange exchange, String key) {
    return exchange.query(key).orElse("").strip();
  }

  /// Cursor from the URL; invalid values are ignored.
  private static String before(HttpExchange exchange) {
    String before = query(exchange, "before");
    return before.matches("[0-9a-f-]{0,36}") ? before : "";
  }

  /// Agents of the filter, including the selected one; one more than the maximum if there are more.
  private static List<String> agents(Tx tx, RunSearch search) {
    return tx.list(
        """
        select handle from agent where terminated_at is null or handle = ?
        order by case when handle = ? then 0 else 1 end, handle limit ?
        """,
        row -> row.text("handle"),
        search.agent(),
        search.agent(),
        AGENTS + 1);
  }

  private HttpReply show(HttpExchange exchange) {
    return PageReply.ok(records.page(exchange, null));
  }

  private HttpReply cancel(HttpExchange exchange) {
    exchange.form();
    String id = exchange.name("id");
    Principal who = exchange.caller();
    engine.cancellation().cancel(who, engine.runs().require(who, id));
    return PageReply.goTo("/runs/" + id, FlashMessage.CANCELLED);
  }

  private HttpReply replay(HttpExchange exchange) {
    @Nullable String model = value(exchange.form(), "model");
    var report =
        replays.replay(exchange.caller(), exchange.name("id"), new ProviderOverride(null, model));
    ReplayResult result = RunPageReader.result(report);
    return PageReply.ok(records.page(exchange, result));
  }

  private HttpReply fork(HttpExchange exchange) {
    FormData form = exchange.form();
    var wish =
        new RunForks.ForkRequest(step(form), null, value(form, "model"), value(form, "name"));
    Agent fork = engine.forks().fork(exchange.caller(), exchange.name("id"), wish);
    return PageReply.goTo("/team?who=" + fork.handle(), FlashMessage.FORKED);
  }

  private static @Nullable String value(FormData form, String field) {
    String text = form.text(field).strip();
    return text.isEmpty() ? null : text;
  }

  private static int step(FormData form) {
    try {
      return Integer.parseInt(form.text("fromStep").strip());
    } catch (NumberFormatException e) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "fromStep must be a number", "choose a step of the run", e);
    }
  }
}
