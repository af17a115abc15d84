package dev.substrat.llm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.budget.Reservation;
import dev.substrat.llm.ModelTrouble.Kind;
import dev.substrat.llm.Perseverance.Answered;
import dev.substrat.prompt.Prompt;
import dev.substrat.provider.MindEvent;
import dev.substrat.provider.Provider.Outcome;
import dev.substrat.provider.TurnView;
import dev.substrat.team.Mind;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolReply;
import dev.substrat.tool.Toolbox;
import dev.substrat.transcript.Past;
import dev.substrat.transcript.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One turn of an agent that thinks with a model: it is told its past and what the turn is about,
/// calls tools one after another, is told their results, until it says something and calls nothing.
///
/// Belongs to its turn's thread.
final class ModelTurn {
  /// What of a context is kept free for what the turn itself brings.
  private static final int RESERVE = 10;

  private static final int SHORT_RESULT = 2_000;

  private final TurnView turn;
  private final Mind mind;
  private final ModelLine line;
  private final Access access;
  private final Thoughts thoughts;
  private final Prompt prompt;
  private final List<Tool> tools;
  private final long toolTokens;
  private final Listener listener;
  private final Recollection recollection;
  private final Entry about;
  private final List<Entry> sinceThen = new ArrayList<>();
  private List<Entry> past = List.of();

  ModelTurn(TurnView turn, Mind mind, ModelLine line, Access access) {
    this.turn = turn;
    this.mind = mind;
    this.line = line;
    this.access = access;
    this.thoughts = Thoughts.of(mind);
    this.prompt = turn.prompt();
    this.tools = turn.tools();
    this.toolTokens = Tokens.ofTools(tools);
    this.listener = new Listener(turn);
    Past before = turn.past();
    this.recollection = new Recollection(before, this::sumUp);
    this.about = new Entry.Told(Chapter.told(turn.number(), before.began(), prompt.turn()));
  }

  Outcome think() throws InterruptedException {
    past = recollection.within(room());
    while (true) {
      Reply reply = step();
      if (reply.calls().isEmpty()) {
        return new Outcome.Finished(reply.text());
      }
      if (!reply.text().isBlank()) {
        turn.tell(new MindEvent.Text(reply.text()));
      }
      sinceThen.add(reply.said());
      sinceThen.add(new Entry.Returned(reply.calls().stream().map(this::call).toList()));
      shortenIfNeeded();
    }
  }

  /// What is left for the past when everything else is told.
  private long room() {
    long fixed = Tokens.of(prompt.system()) + toolTokens + about.tokens();
    return Math.max(
        0, thoughts.contextTokens() * (100 - RESERVE) / 100 - fixed - thoughts.maxOutputTokens());
  }

  /// A model that is told too much is told less of its past, once.
  private Reply step() throws InterruptedException {
    try {
      return asked(question(), this::aloud);
    } catch (ModelTrouble trouble) {
      if (trouble.kind() != Kind.TOO_LONG) {
        throw trouble;
      }
      past = recollection.within(Tokens.of(past) / 2);
      shortenResults();
      return asked(question(), this::aloud);
    }
  }

  private Question question() {
    List<Entry> entries = Stream.of(past, List.of(about), sinceThen).flatMap(List::stream).toList();
    return new Question(
        "", prompt.system(), entries, tools, thoughts.maxOutputTokens(), thoughts.temperature());
  }

  /// One step: what it may use is reserved before, and told after.
  private Reply asked(Question question, Perseverance.Ask ask) throws InterruptedException {
    long input =
        Tokens.of(question.system())
            + (question.tools().isEmpty() ? 0 : toolTokens)
            + Tokens.of(question.entries());
    long most = Tokens.most(input);
    turn.beginStep(
        new Reservation(
            most + question.maxOutputTokens(), dearest(most, question.maxOutputTokens())));
    try {
      Answered answered = new Perseverance(turn, ask).ask(question, thoughts.models());
      turn.endStep(answered.model(), usage(answered, input));
      return answered.reply();
    } catch (ModelTrouble trouble) {
      // Refused is not used; nothing at all would count as everything that was reserved.
      turn.endStep(thoughts.models().getFirst(), new Usage(1, 0, 1));
      throw trouble;
    }
  }

  private long dearest(long input, long output) {
    return thoughts.models().stream()
        .mapToLong(model -> Prices.of(mind, access.base(), model).micros(input, output))
        .max()
        .orElse(0);
  }

  /// An API that does not say what it used has used what we think.
  private Usage usage(Answered answered, long input) {
    Reply reply = answered.reply();
    var price = Prices.of(mind, access.base(), answered.model());
    return reply.inputTokens() + reply.outputTokens() > 0
        ? price.usage(reply.inputTokens(), reply.outputTokens())
        : price.usage(input, reply.said().tokens());
  }

  private Reply aloud(Question question) throws InterruptedException {
    listener.begin();
    Reply reply = line.ask(access, question, listener);
    listener.end();
    if (!reply.thinking().isBlank()) {
      turn.tell(new MindEvent.Thinking(reply.thinking()));
    }
    return reply;
  }

  /// Nobody need hear a model sum up what was long ago.
  private Reply silently(Question question) throws InterruptedException {
    return line.ask(access, question, Hearing.NOBODY);
  }

  /// Calls are made in order, one after another: each may change what the next one finds.
  private Entry.Result call(Entry.Call call) {
    Optional<ObjectNode> arguments = Arguments.parse(call.arguments());
    if (arguments.isEmpty()) {
      String error = "the arguments are not a JSON object; nothing was done; write them again";
      return new Entry.Result(call.id(), call.tool(), error, true);
    }
    Toolbox.Answer answer = turn.call(call.id(), call.tool(), arguments.get());
    boolean isError = answer.reply() instanceof ToolReply.Failed;
    return new Entry.Result(call.id(), call.tool(), ToolText.of(answer), isError);
  }

  private void shortenIfNeeded() {
    long all = Tokens.of(prompt.system()) + toolTokens + Tokens.of(question().entries());
    if (all + thoughts.maxOutputTokens() > thoughts.contextTokens()) {
      shortenResults();
    }
  }

  /// All but the newest: the model has worked with the others.
  private void shortenResults() {
    int newest = Math.max(0, sinceThen.size() - 1);
    List<Entry> shorter = Shortening.results(sinceThen.subList(0, newest), SHORT_RESULT);
    for (int i = 0; i < newest; i++) {
      sinceThen.set(i, shorter.get(i));
    }
  }

  private Past.Summary sumUp(Past.@Nullable Summary before, List<Chapter> chapters)
      throws InterruptedException {
    long room = thoughts.contextTokens() * (100 - RESERVE) / 100 - Summariser.MOST_TOKENS;
    String material = Summariser.material(before, chapters, room);
    var question =
        new Question(
            "",
            Summariser.INSTRUCTIONS,
            List.of(new Entry.Told(material)),
            List.of(),
            Math.min(Summariser.MOST_TOKENS, thoughts.maxOutputTokens()),
            null);
    Reply reply = asked(question, this::silently);
    if (reply.text().isBlank()) {
      throw ModelTrouble.invalid("the model wrote nothing");
    }
    var summary = new Past.Summary(chapters.getLast().number(), Summariser.kept(reply.text()));
    turn.sumUp(summary.throughTurn(), summary.text());
    return summary;
  }
}
