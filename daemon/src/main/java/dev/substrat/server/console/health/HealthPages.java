package dev.substrat.server.console.health;

import dev.substrat.access.budget.BudgetCaps;
import dev.substrat.console.ConsoleSection;
import dev.substrat.console.health.HealthPage;
import dev.substrat.console.health.ServerRow;
import dev.substrat.http.server.FormData;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.server.api.SystemRoutes;
import dev.substrat.server.console.FlashMessage;
import dev.substrat.server.console.PageFrames;
import dev.substrat.server.console.PageReply;
import dev.substrat.server.console.team.TeamPages;
import dev.substrat.server.health.ActivityMinutes;
import dev.substrat.server.health.ActivityMinutes.Total;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.toolset.remote.RemoteServerApprovals;
import dev.substrat.toolset.remote.RemoteServerApprovals.ApprovalChoice;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.scheduling.Slots;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

/// Health page and its actions: approve tools and programs, set budgets.
public final class HealthPages {
  private static final String HERE = "/health";

  private final Engine engine;
  private final Database database;
  private final PageFrames frames;
  private final Slots slots;
  private final SystemRoutes.Address address;
  private final ProviderProbes probes;
  private final RemoteServerApprovals approvals;

  public HealthPages(Engine engine, PageFrames frames, Slots slots, SystemRoutes.Address address) {
    this.engine = engine;
    this.database = engine.dependencies().database();
    this.frames = frames;
    this.slots = slots;
    this.address = address;
    this.probes = new ProviderProbes(engine.providers(), engine.dependencies().clock());
    this.approvals = engine.remoteServers().approvals();
  }

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read(HERE, Scope.AGENTS_READ, "Health page.", this::show),
        HttpRoute.write(
            "/health/servers/look",
            Scope.SERVERS_APPROVE,
            "Lists the tools of a server again.",
            null,
            this::refresh),
        HttpRoute.write(
            "/health/servers/approve",
            Scope.SERVERS_APPROVE,
            "Approves a program.",
            null,
            this::approveCommand),
        HttpRoute.write(
            "/health/tools/approve",
            Scope.SERVERS_APPROVE,
            "Approves a tool definition.",
            null,
            exchange -> decide(exchange, ApprovalChoice.APPROVE, FlashMessage.APPROVED)),
        HttpRoute.write(
            "/health/tools/reject",
            Scope.SERVERS_APPROVE,
            "Rejects a tool definition.",
            null,
            exchange -> decide(exchange, ApprovalChoice.REJECT, FlashMessage.REJECTED)),
        HttpRoute.write(
            "/health/budgets", Scope.AGENTS_WRITE, "Sets a budget.", null, this::budget));
  }

  private HttpReply show(HttpExchange exchange) {
    var frame = frames.around(exchange, ConsoleSection.HEALTH, "Health");
    var known = probes.known();
    var use = slots.use();
    List<ServerRow> servers =
        exchange.may(Scope.SERVERS_READ) ? ServerRows.of(approvals) : List.of();
    var machine = HealthReader.machine(engine, address.url());
    var page =
        database.<HealthPage>read(tx -> {
          Instant now = frames.now();
          List<Total> totals = ActivityMinutes.since(tx, ActivityChart.start(now));
          return new HealthPage(
              frame,
              now,
              TeamPages.use(slots),
              ActivityChart.of(tx, totals, now),
              HealthReader.queue(tx),
              ProviderRows.of(tx, known, use, totals),
              servers,
              HealthReader.budgets(tx),
              machine);
        });
    return PageReply.ok(page);
  }

  private HttpReply refresh(HttpExchange exchange) {
    FormData form = exchange.form();
    Agent agent = agent(form);
    agent.config().serversOrNone().stream()
        .filter(one -> one.name().equals(form.text("server")))
        .findFirst()
        .ifPresent(server -> engine.remoteServers().refresh(agent, server));
    return PageReply.goTo(HERE, FlashMessage.REFRESHED);
  }

  private HttpReply approveCommand(HttpExchange exchange) {
    FormData form = exchange.form();
    String by = exchange.caller().key();
    approvals.approveCommand(agent(form), form.text("server"), form.text("hash"), by);
    return PageReply.goTo(HERE, FlashMessage.APPROVED);
  }

  private HttpReply decide(HttpExchange exchange, ApprovalChoice choice, FlashMessage said) {
    FormData form = exchange.form();
    var meant =
        new RemoteServerApprovals.ApprovalTarget(
            form.text("server"), form.text("tool"), form.text("hash"));
    approvals.decide(agent(form), meant, choice, exchange.caller().key());
    return PageReply.goTo(HERE, said);
  }

  private Agent agent(FormData form) {
    return database.read(tx -> AgentTree.require(tx, form.text("agent")));
  }

  private HttpReply budget(HttpExchange exchange) {
    FormData form = exchange.form();
    Agent agent = agent(form);
    engine.budgets().set(agent.id(), agent.handle(), caps(form.text("kind"), amount(form)));
    return PageReply.goTo(HERE, FlashMessage.SAVED);
  }

  private static BudgetCaps caps(String kind, BigDecimal amount) {
    return switch (kind) {
      case "usd" -> new BudgetCaps(amount.doubleValue(), null, null, null);
      case "tokens" -> new BudgetCaps(null, whole(kind, amount), null, null);
      case "turns" -> new BudgetCaps(null, null, whole(kind, amount), null);
      case "seconds" -> new BudgetCaps(null, null, null, whole(kind, amount));
      default ->
          throw wrong("unknown budget \"" + kind + "\"", "use usd, tokens, turns or seconds");
    };
  }

  private static BigDecimal amount(FormData form) {
    String text = form.text("amount").strip();
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw wrong(
          "the budget must be a number, not \"" + text + "\"",
          "enter a number such as 2.50 or 1000");
    }
  }

  private static long whole(String kind, BigDecimal amount) {
    try {
      return amount.longValueExact();
    } catch (ArithmeticException e) {
      throw wrong(
          "a budget in " + kind + " must be a whole number, not " + amount, "enter a whole number");
    }
  }

  private static Fault wrong(String message, String hint) {
    return ErrorCode.INVALID_ARGUMENTS.fault(message, hint);
  }
}
