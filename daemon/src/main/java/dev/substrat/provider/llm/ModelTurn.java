package dev.substrat.provider.llm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.access.budget.BudgetReservation;
import dev.substrat.platform.log.Log;
import dev.substrat.provider.Provider.TurnOutcome;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.llm.ModelFailure.FailureKind;
import dev.substrat.provider.llm.ModelRetryPolicy.SuccessfulReply;
import dev.substrat.provider.llm.wire.CallArgumentParser;
import dev.substrat.provider.llm.wire.ConversationEntry;
import dev.substrat.provider.llm.wire.ModelReply;
import dev.substrat.provider.llm.wire.ModelRequest;
import dev.substrat.provider.llm.wire.ReplyListener;
import dev.substrat.provider.prompt.Prompt;
import dev.substrat.team.ProviderConfig;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.transcript.AgentHistory;
import dev.substrat.tool.transcript.ModelUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One turn of an agent with a model API: sends history and prompt, executes tool calls and returns
/// their results, until the model answers without a call.
///
/// Belongs to its turn's thread.
final class ModelTurn {
  /// Percent of the context that is kept free for the turn's own texts.
  private static final int RESERVE = 10;

  /// The turn fails after this many truncated responses in a row.
  private static final int MAX_CUT_REPLIES = 3;

  private static final Log LOG = Log.of(ModelTurn.class);

  private final ProviderTurn turn;
  private final ProviderConfig settings;
  private final ModelClient client;
  private final ApiAccess access;
  private final ModelParameters parameters;
  private final Prompt prompt;
  private final int mostTools;
  private final ReplyEvents listener;
  private final HistoryBuilder historyBuilder;
  private final ConversationEntry turnText;
  private final TurnConversation conversation = new TurnConversation();
  private List<Tool> listed = List.of();
  private List<Tool> tools = List.of();
  private long toolTokens;
  private List<ConversationEntry> history = List.of();
  private boolean hasHeard;

  ModelTurn(
      ProviderTurn turn,
      ProviderConfig settings,
      ModelClient client,
      ApiAccess access,
      int mostTools) {
    this.turn = turn;
    this.settings = settings;
    this.client = client;
    this.access = access;
    this.parameters = ModelParameters.of(settings);
    this.prompt = turn.prompt();
    this.mostTools = mostTools;
    this.listener = new ReplyEvents(turn);
    AgentHistory before = turn.history();
    this.historyBuilder = new HistoryBuilder(before, this::sumUp);
    this.turnText =
        new ConversationEntry.UserText(
            HistoryTurn.userText(turn.number(), before.began(), prompt.turn()));
  }

  /// Lists the tools again before each step: `find_tools` adds to them within a turn.
  @SuppressWarnings("ReferenceEquality") // a list that has changed is another object
  private void listTools() {
    List<Tool> now = turn.tools();
    if (now != listed) {
      listed = now;
      tools = offered(now);
      toolTokens = TokenEstimate.ofTools(tools);
    }
  }

  /// Limits the number of tools: a model rejects requests with too many. Built-in tools come first
  /// in the list.
  private List<Tool> offered(List<Tool> all) {
    if (all.size() <= mostTools) {
      return all;
    }
    LOG.warn(
        "an agent has more tools than its model supports; set toolLoading: deferred",
        "agent",
        turn.agent().handle(),
        "left out",
        all.stream().skip(mostTools).map(Tool::name).toList());
    return all.subList(0, mostTools);
  }

  TurnOutcome run() throws InterruptedException {
    listTools();
    history = historyBuilder.within(historyTokens());
    int cuts = 0;
    while (true) {
      ModelReply reply = step();
      if (!reply.isCut() && reply.calls().isEmpty()) {
        return new TurnOutcome.TurnFinished(reply.text());
      }
      cuts = reply.isCut() ? cuts + 1 : 0;
      if (cuts == MAX_CUT_REPLIES) {
        return new TurnOutcome.UnrecoverableFailure(
            "the model exceeded %d tokens %d times in a row (raise /provider/maxOutputTokens)"
                .formatted(parameters.maxOutputTokens(), cuts));
      }
      goOnFrom(reply);
      conversation.fit(this::isTooLong);
    }
  }

  /// True once a model has returned a part of a response.
  boolean hasHeard() {
    return hasHeard;
  }

  private void goOnFrom(ModelReply reply) {
    if (!reply.text().isBlank()) {
      turn.publish(new ProviderEvent.CompleteText(reply.text()));
    }
    if (!reply.said().isEmpty()) {
      conversation.add(reply.said());
    }
    if (reply.calls().isEmpty()) {
      conversation.add(new ConversationEntry.UserText(cutWords("Repeat it in fewer words.")));
    } else {
      conversation.add(new ConversationEntry.ToolResults(results(reply)));
    }
  }

  /// The arguments of the last call of a cut answer are incomplete.
  private List<ConversationEntry.CallResult> results(ModelReply reply) {
    var results = new ArrayList<ConversationEntry.CallResult>();
    for (ConversationEntry.RequestedCall call : reply.calls()) {
      boolean isCut = reply.isCut() && call.equals(reply.calls().getLast());
      results.add(
          isCut
              ? new ConversationEntry.CallResult(
                  call.id(),
                  call.tool(),
                  cutWords("Nothing was executed; use shorter arguments, or several calls."),
                  true)
              : call(call));
    }
    return results;
  }

  private String cutWords(String advice) {
    return "[Your answer was cut off at %d tokens. %s]"
        .formatted(parameters.maxOutputTokens(), advice);
  }

  /// Tokens left for the history.
  private long historyTokens() {
    long fixed = TokenEstimate.of(prompt.system()) + toolTokens + turnText.tokens();
    return Math.max(
        0,
        parameters.contextTokens() * (100 - RESERVE) / 100 - fixed - parameters.maxOutputTokens());
  }

  /// If the request is too long, it is sent again with a shorter history, once.
  private ModelReply step() throws InterruptedException {
    listTools();
    try {
      return asked(request(), this::streamed);
    } catch (ModelFailure trouble) {
      if (trouble.kind() != FailureKind.TOO_LONG) {
        throw trouble;
      }
      history = historyBuilder.within(TokenEstimate.of(history) / 2);
      conversation.halve();
      return asked(request(), this::streamed);
    }
  }

  private ModelRequest request() {
    List<ConversationEntry> entries =
        Stream.of(history, List.of(turnText), conversation.entries())
            .flatMap(List::stream)
            .toList();
    return new ModelRequest(
        "",
        prompt.system(),
        entries,
        tools,
        parameters.maxOutputTokens(),
        parameters.temperature());
  }

  /// Sends one request as a step: its usage is reserved before and recorded after.
  private ModelReply asked(ModelRequest request, ModelRetryPolicy.RequestSender ask)
      throws InterruptedException {
    long input =
        TokenEstimate.of(request.system())
            + (request.tools().isEmpty() ? 0 : toolTokens)
            + TokenEstimate.of(request.entries());
    long most = TokenEstimate.most(input);
    var reservation =
        new BudgetReservation(
            most + request.maxOutputTokens(), highestCost(most, request.maxOutputTokens()));
    turn.beginStep(reservation);
    ModelRetryPolicy.WastedUsageListener waste =
        (model, heard) -> {
          hasHeard = true;
          turn.endStep(model, wasted(model, heard, input));
          turn.beginStep(reservation);
        };
    try {
      SuccessfulReply answered =
          new ModelRetryPolicy(turn, ask, waste).ask(request, parameters.models());
      turn.endStep(answered.model(), usage(answered, input));
      hasHeard = true;
      return answered.reply();
    } catch (ModelFailure trouble) {
      ModelReply heard = trouble.partialReply();
      if (heard == null) {
        turn.withdrawStep();
      } else {
        String last = parameters.models().getLast();
        turn.endStep(last, wasted(last, heard, input));
      }
      throw trouble;
    }
  }

  /// Usage of a response that ended early: the whole input and the received output, estimated if
  /// the API did not report it.
  private ModelUsage wasted(String model, ModelReply heard, long input) {
    long said = heard.said().tokens() + TokenEstimate.of(heard.thinking());
    return ModelPrices.of(settings, access.base(), model)
        .usage(
            heard.inputTokens() > 0 ? heard.inputTokens() : input,
            Math.max(heard.outputTokens(), said));
  }

  private long highestCost(long input, long output) {
    return parameters.models().stream()
        .mapToLong(model -> ModelPrices.of(settings, access.base(), model).micros(input, output))
        .max()
        .orElse(0);
  }

  /// Usage of a response, estimated if the API did not report it.
  private ModelUsage usage(SuccessfulReply answered, long input) {
    ModelReply reply = answered.reply();
    var price = ModelPrices.of(settings, access.base(), answered.model());
    return reply.inputTokens() + reply.outputTokens() > 0
        ? price.usage(reply.inputTokens(), reply.outputTokens())
        : price.usage(input, reply.said().tokens());
  }

  private ModelReply streamed(ModelRequest request) throws InterruptedException {
    listener.begin();
    ModelReply reply = client.ask(access, request, listener);
    listener.end();
    if (!reply.thinking().isBlank()) {
      turn.publish(new ProviderEvent.ReasoningText(reply.thinking()));
    }
    return reply;
  }

  /// The response with the summary is not streamed to clients.
  private ModelReply unstreamed(ModelRequest request) throws InterruptedException {
    return client.ask(access, request, ReplyListener.NONE);
  }

  /// Calls are executed one after another: each may change what the next one finds.
  private ConversationEntry.CallResult call(ConversationEntry.RequestedCall call) {
    Optional<ObjectNode> arguments = CallArgumentParser.parse(call.arguments());
    if (arguments.isEmpty()) {
      String error =
          "the arguments are not a JSON object; nothing was executed; send the call again";
      return new ConversationEntry.CallResult(call.id(), call.tool(), error, true);
    }
    ToolPipeline.ResultWithUnread answer = turn.call(call.id(), call.tool(), arguments.get());
    boolean isError = answer.reply() instanceof ToolResult.Failed;
    return new ConversationEntry.CallResult(
        call.id(), call.tool(), ToolResultText.of(answer), isError);
  }

  private boolean isTooLong() {
    long all =
        TokenEstimate.of(prompt.system()) + toolTokens + TokenEstimate.of(request().entries());
    return all + parameters.maxOutputTokens() > parameters.contextTokens();
  }

  private AgentHistory.HistorySummary sumUp(
      AgentHistory.@Nullable HistorySummary before, List<HistoryTurn> turns)
      throws InterruptedException {
    long limit = parameters.contextTokens() * (100 - RESERVE) / 100 - HistorySummariser.MAX_TOKENS;
    String material = HistorySummariser.input(before, turns, limit);
    var request =
        new ModelRequest(
            "",
            HistorySummariser.INSTRUCTIONS,
            List.of(new ConversationEntry.UserText(material)),
            List.of(),
            Math.min(HistorySummariser.MAX_TOKENS, parameters.maxOutputTokens()),
            null);
    ModelReply reply = asked(request, this::unstreamed);
    if (reply.text().isBlank()) {
      throw ModelFailure.invalid("the model returned no text");
    }
    var summary =
        new AgentHistory.HistorySummary(
            turns.getLast().number(), HistorySummariser.truncate(reply.text()));
    turn.storeSummary(summary.throughTurn(), summary.text());
    return summary;
  }

  /// Publishes the output of a model while it is streamed.
  ///
  /// Events are marked as shown once the API has accepted the first request that contains them.
  /// Belongs to its turn's thread.
  private static final class ReplyEvents implements ReplyListener {
    private final ProviderTurn turn;
    private boolean isShown;
    private boolean hasSpoken;

    ReplyEvents(ProviderTurn turn) {
      this.turn = turn;
    }

    /// A response starts. If the one before was discarded, its text does not count.
    void begin() {
      if (hasSpoken) {
        turn.publish(new ProviderEvent.OutputDiscarded());
        hasSpoken = false;
      }
    }

    /// The response is complete.
    void end() {
      hasSpoken = false;
    }

    @Override
    public void accepted() {
      if (!isShown) {
        isShown = true;
        turn.events().forEach(turn::show);
      }
    }

    @Override
    public void text(String delta) {
      hasSpoken = true;
      turn.publish(new ProviderEvent.TextDelta(delta));
    }

    @Override
    public void arguments(String callId, String tool, String delta) {
      hasSpoken = true;
      turn.publish(new ProviderEvent.ToolInputDelta(callId, tool, delta));
    }
  }
}
