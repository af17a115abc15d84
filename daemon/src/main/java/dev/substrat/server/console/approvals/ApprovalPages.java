package dev.substrat.server.console.approvals;

import dev.substrat.console.ConsoleSection;
import dev.substrat.console.approvals.ApprovalsPage;
import dev.substrat.console.approvals.ApprovalsPage.DecidedCall;
import dev.substrat.console.approvals.PendingQuestion;
import dev.substrat.http.server.FormData;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Scope;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.server.console.DisplayNames;
import dev.substrat.server.console.FlashMessage;
import dev.substrat.server.console.PageFrames;
import dev.substrat.server.console.PageReply;
import dev.substrat.store.Tx;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import dev.substrat.tool.pending.PendingCalls.PendingCallFilter;
import dev.substrat.toolset.custom.PendingCallAccess;
import dev.substrat.toolset.custom.PendingCallCompletion;
import dev.substrat.turn.engine.Engine;
import java.util.List;

/// Approvals page and its actions.
public final class ApprovalPages {
  private static final String HERE = "/approvals";
  private static final int PAGE = 50;
  private static final int DECIDED = 20;

  private final Engine engine;
  private final PageFrames frames;

  public ApprovalPages(Engine engine, PageFrames frames) {
    this.engine = engine;
    this.frames = frames;
  }

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read(
                HERE, Scope.APPROVALS_READ, "Open approvals and recent decisions.", this::list)
            .withQuery("after", "Only calls after this call."),
        HttpRoute.read(
            HERE + "/{id}/raw",
            Scope.APPROVALS_READ,
            "The exact arguments of a call as JSON, with every character beyond ASCII escaped.",
            this::raw),
        HttpRoute.write(
            HERE + "/{id}",
            Scope.APPROVALS_ANSWER,
            "Answers or declines a call.",
            null,
            this::answer));
  }

  private HttpReply list(HttpExchange exchange) {
    var frame = frames.around(exchange, ConsoleSection.APPROVALS, "Approvals");
    Principal viewer = exchange.caller();
    String after = exchange.query("after").orElse("");
    var database = engine.dependencies().database();
    List<PendingCall> open =
        database.read(
            tx -> PendingCalls.list(tx, viewer, new PendingCallFilter(null, true), after, PAGE));
    engine.pendingCalls().shown(open);
    return PageReply.ok(
        database.<ApprovalsPage>read(tx ->
            new ApprovalsPage(
                frame,
                frames.now(),
                questions(tx, viewer, open),
                open.size() < PAGE ? "" : open.getLast().id(),
                decided(tx, viewer))));
  }

  private static List<PendingQuestion> questions(Tx tx, Principal viewer, List<PendingCall> open) {
    var asking = new QuestionReader(tx, viewer);
    return open.stream().map(call -> asking.question(call, HERE)).toList();
  }

  private static List<DecidedCall> decided(Tx tx, Principal viewer) {
    var faces = new DisplayNames(tx, viewer);
    return PendingCalls.recentlyResolved(tx, viewer, DECIDED).stream()
        .map(call -> decided(faces, call))
        .toList();
  }

  private static DecidedCall decided(DisplayNames faces, PendingCall call) {
    DecisionText decision = DecisionText.of(call);
    String by = call.sight().answeredBy();
    return new DecidedCall(
        call.id(),
        faces.of(call.owner()),
        call.tool(),
        DecisionText.question(call),
        decision.outcome(),
        decision.tone(),
        by == null ? "" : DisplayNames.handle(by),
        decision.answer(),
        call.updatedAt());
  }

  private HttpReply raw(HttpExchange exchange) {
    return PageReply.plain(Json.ascii(require(exchange).arguments()) + "\n");
  }

  private HttpReply answer(HttpExchange exchange) {
    FormData form = exchange.form();
    PendingCall call = require(exchange);
    PendingCallCompletion answers = engine.customTools().answers();
    Principal by = exchange.caller();
    var asked = dev.substrat.toolset.custom.AnswerForm.of(call);
    PendingCallCompletion.requireShown(call, form.has("argsHash") ? form.text("argsHash") : null);
    switch (form.text("do")) {
      case "decline" -> answers.decline(call.id(), form.text("reason"), by);
      case "yes" -> answers.complete(call.id(), AnswerFormReader.result(asked, form, true), by);
      case "no" -> answers.complete(call.id(), AnswerFormReader.result(asked, form, false), by);
      default ->
          throw ErrorCode.INVALID_ARGUMENTS.fault(
              "do must be yes, no or decline", "use one of the buttons of the form");
    }
    return back(
        form.text("back"),
        form.text("do").equals("decline") ? FlashMessage.DECLINED : FlashMessage.ANSWERED);
  }

  /// Only pages that show questions.
  private static HttpReply back(String wanted, FlashMessage said) {
    return wanted.matches("/spaces/[a-z0-9-]+(\\?thread=[a-zA-Z0-9-]+)?")
        ? PageReply.goTo(wanted)
        : PageReply.goTo(HERE, said);
  }

  private PendingCall require(HttpExchange exchange) {
    return engine.read(
        tx -> PendingCallAccess.requireVisible(tx, exchange.caller(), exchange.name("id")));
  }
}
