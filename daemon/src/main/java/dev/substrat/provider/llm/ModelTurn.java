package dev.substrat.provider.llm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.access.budget.BudgetReservation;
import dev.substrat.platform.log.Log;
import dev.substrat.provider.Provider.Outcome;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.llm.ModelFailure.Kind;
import dev.substrat.provider.llm.ModelRetries.Success;
import dev.substrat.provider.llm.wire.CallArguments;
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
  /// What of a context is kept free for what the turn itself brings.
  private static final int RESERVE = 10;

  /// After so many cut answers in a row the turn fails.
  private static final int MOST_CUTS = 3;

  private static final Log LOG = Log.of(ModelTurn.class);

  private final ProviderTurn turn;
  private final ProviderConfig mind;
  private final ModelClient line;
  private final ApiAccess access;
  private final ModelParameters thoughts;
  private final Prompt prompt;
  private final int mostTools;
  private final ReplyEvents listener;
  private final HistoryBuilder recollection;
  private final ConversationEntry about;
  private final TurnConversation course = new TurnConversation();
  private List<Tool> listed = List.of();
  private List<Tool> tools = List.of();
  private long toolTokens;
  private List<ConversationEntry> past = List.of();
  private boolean hasHeard;

  ModelTurn(
      ProviderTurn turn, ProviderConfig mind, ModelClient line, ApiAccess access, int mostTools) {
    this.turn = turn;
    this.mind = mind;
    this.line = line;
    this.access = access;
    this.thoughts = ModelParameters.of(mind);
    this.prompt = turn.prompt();
    this.mostTools = mostTools;
    this.listener = new ReplyEvents(turn);
    AgentHistory before = turn.history();
    this.recollection = new HistoryBuilder(before, this::sumUp);
    this.about =
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

  /// A model refuses requests with more tools than it takes. Built-in tools come first in the list.
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

  Outcome think() throws InterruptedException {
    listTools();
    past = recollection.within(room());
    int cuts = 0;
    while (true) {
      ModelReply reply = step();
      if (!reply.isCut() && reply.calls().isEmpty()) {
        return new Outcome.Finished(reply.text());
      }
      cuts = reply.isCut() ? cuts + 1 : 0;
      if (cuts == MOST_CUTS) {
        return new Outcome.Unrecoverable(
            "the model exceeded %d tokens %d times in a row (raise /provider/maxOutputTokens)"
                .formatted(thoughts.maxOutputTokens(), cuts));
      }
      goOnFrom(reply);
      course.fit(this::isTooMuch);
    }
  }

  /// True once a model has answered something.
  boolean hasHeard() {
    return hasHeard;
  }

  private void goOnFrom(ModelReply reply) {
    if (!reply.text().isBlank()) {
      turn.publish(new ProviderEvent.Text(reply.text()));
    }
    if (!reply.said().isEmpty()) {
      course.add(reply.said());
    }
    if (reply.calls().isEmpty()) {
      course.add(new ConversationEntry.UserText(cutWords("Repeat it in fewer words.")));
    } else {
      course.add(new ConversationEntry.ToolResults(results(reply)));
    }
  }

  /// The arguments of the last call of a cut answer are incomplete.
  private List<ConversationEntry.Result> results(ModelReply reply) {
    var results = new ArrayList<ConversationEntry.Result>();
    for (ConversationEntry.Call call : reply.calls()) {
      boolean isCut = reply.isCut() && call.equals(reply.calls().getLast());
      results.add(
          isCut
              ? new ConversationEntry.Result(
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
        .formatted(thoughts.maxOutputTokens(), advice);
  }

  /// Tokens left for the history.
  private long room() {
    long fixed = TokenEstimate.of(prompt.system()) + toolTokens + about.tokens();
    return Math.max(
        0, thoughts.contextTokens() * (100 - RESERVE) / 100 - fixed - thoughts.maxOutputTokens());
  }

  /// If the request is too long, it is sent again with a shorter history, once.
  private ModelReply step() throws InterruptedException {
    listTools();
    try {
      return asked(question(), this::aloud);
    } catch (ModelFailure trouble) {
      if (trouble.kind() != Kind.TOO_LONG) {
        throw trouble;
      }
      past = recollection.within(TokenEstimate.of(past) / 2);
      course.halve();
      return asked(question(), this::aloud);
    }
  }

  private ModelRequest question() {
    List<ConversationEntry> entries =
        Stream.of(past, List.of(about), course.entries()).flatMap(List::stream).toList();
    return new ModelRequest(
        "", prompt.system(), entries, tools, thoughts.maxOutputTokens(), thoughts.temperature());
  }

  /// One step: its usage is reserved before, and settled after.
  private ModelReply asked(ModelRequest question, ModelRetries.Request ask)
      throws InterruptedException {
    long input =
        TokenEstimate.of(question.system())
            + (question.tools().isEmpty() ? 0 : toolTokens)
            + TokenEstimate.of(question.entries());
    long most = TokenEstimate.most(input);
    var reservation =
        new BudgetReservation(
            most + question.maxOutputTokens(), dearest(most, question.maxOutputTokens()));
    turn.beginStep(reservation);
    ModelRetries.WastedUsage waste =
        (model, heard) -> {
          hasHeard = true;
          turn.endStep(model, wasted(model, heard, input));
          turn.beginStep(reservation);
        };
    try {
      Success answered = new ModelRetries(turn, ask, waste).ask(question, thoughts.models());
      turn.endStep(answered.model(), usage(answered, input));
      hasHeard = true;
      return answered.reply();
    } catch (ModelFailure trouble) {
      ModelReply heard = trouble.partialReply();
      if (heard == null) {
        turn.withdrawStep();
      } else {
        String last = thoughts.models().getLast();
        turn.endStep(last, wasted(last, heard, input));
      }
      throw trouble;
    }
  }

  /// What was heard of an answer that broke off was used, and its whole question. An API that has
  /// not come to say how much has used what we think.
  private ModelUsage wasted(String model, ModelReply heard, long input) {
    long said = heard.said().tokens() + TokenEstimate.of(heard.thinking());
    return ModelPrices.of(mind, access.base(), model)
        .usage(
            heard.inputTokens() > 0 ? heard.inputTokens() : input,
            Math.max(heard.outputTokens(), said));
  }

  private long dearest(long input, long output) {
    return thoughts.models().stream()
        .mapToLong(model -> ModelPrices.of(mind, access.base(), model).micros(input, output))
        .max()
        .orElse(0);
  }

  /// An API that does not say what it used has used what we think.
  private ModelUsage usage(Success answered, long input) {
    ModelReply reply = answered.reply();
    var price = ModelPrices.of(mind, access.base(), answered.model());
    return reply.inputTokens() + reply.outputTokens() > 0
        ? price.usage(reply.inputTokens(), reply.outputTokens())
        : price.usage(input, reply.said().tokens());
  }

  private ModelReply aloud(ModelRequest question) throws InterruptedException {
    listener.begin();
    ModelReply reply = line.ask(access, question, listener);
    listener.end();
    if (!reply.thinking().isBlank()) {
      turn.publish(new ProviderEvent.Thinking(reply.thinking()));
    }
    return reply;
  }

  /// The summary of the history is not streamed to watchers.
  private ModelReply silently(ModelRequest question) throws InterruptedException {
    return line.ask(access, question, ReplyListener.NONE);
  }

  /// Calls are made in order, one after another: each may change what the next one finds.
  private ConversationEntry.Result call(ConversationEntry.Call call) {
    Optional<ObjectNode> arguments = CallArguments.parse(call.arguments());
    if (arguments.isEmpty()) {
      String error = "the arguments are not a JSON object; nothing was executed; send them again";
      return new ConversationEntry.Result(call.id(), call.tool(), error, true);
    }
    ToolPipeline.Answer answer = turn.call(call.id(), call.tool(), arguments.get());
    boolean isError = answer.reply() instanceof ToolResult.Failed;
    return new ConversationEntry.Result(call.id(), call.tool(), ToolResultText.of(answer), isError);
  }

  private boolean isTooMuch() {
    long all =
        TokenEstimate.of(prompt.system()) + toolTokens + TokenEstimate.of(question().entries());
    return all + thoughts.maxOutputTokens() > thoughts.contextTokens();
  }

  private AgentHistory.Summary sumUp(
      AgentHistory.@Nullable Summary before, List<HistoryTurn> chapters)
      throws InterruptedException {
    long room = thoughts.contextTokens() * (100 - RESERVE) / 100 - HistorySummariser.MOST_TOKENS;
    String material = HistorySummariser.input(before, chapters, room);
    var question =
        new ModelRequest(
            "",
            HistorySummariser.INSTRUCTIONS,
            List.of(new ConversationEntry.UserText(material)),
            List.of(),
            Math.min(HistorySummariser.MOST_TOKENS, thoughts.maxOutputTokens()),
            null);
    ModelReply reply = asked(question, this::silently);
    if (reply.text().isBlank()) {
      throw ModelFailure.invalid("the model returned no text");
    }
    var summary =
        new AgentHistory.Summary(
            chapters.getLast().number(), HistorySummariser.truncate(reply.text()));
    turn.storeSummary(summary.throughTurn(), summary.text());
    return summary;
  }
}
