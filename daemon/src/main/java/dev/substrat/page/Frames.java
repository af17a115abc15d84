package dev.substrat.page;

import dev.substrat.console.Assets;
import dev.substrat.console.Frame;
import dev.substrat.console.Section;
import dev.substrat.engine.Engine;
import dev.substrat.http.Exchange;
import dev.substrat.id.Principal;
import dev.substrat.pending.PendingCalls;
import dev.substrat.space.Member;
import java.time.Instant;
import java.util.List;

/// What stands around every page, for whoever looks at it at this moment.
final class Frames {
  private final Engine engine;
  private final List<Section> sections;
  private final List<Section> forPeople;
  private final Assets assets;

  /// `forPeople` are those parts that not only the operator may see.
  Frames(Engine engine, List<Section> sections, List<Section> forPeople, Assets assets) {
    this.engine = engine;
    this.sections = sections;
    this.forPeople = forPeople;
    this.assets = assets;
  }

  /// The frame is read before what the page shows: what happens in between is then told again
  /// rather than never.
  Frame around(Exchange exchange, Section section, String title) {
    long seen = engine.events().last();
    boolean isOperator = exchange.caller() instanceof Principal.Operator;
    return new Frame(
        title,
        section,
        sections(exchange),
        new Frame.Viewer(name(exchange.caller()), isOperator),
        isOperator ? waiting() : waitingFor(exchange.caller()),
        folder(),
        seen,
        Said.words(exchange.query("said")));
  }

  /// The parts of the console that whoever asks may see.
  List<Section> sections(Exchange exchange) {
    return exchange.caller() instanceof Principal.Operator ? sections : forPeople;
  }

  /// Where this build's styles and scripts are.
  String folder() {
    return "/assets/" + assets.build() + "/";
  }

  Instant now() {
    return engine.ground().clock().instant();
  }

  private Frame.Waiting waiting() {
    return new Frame.Waiting(
        engine.ground().database().read(PendingCalls::countOpen),
        engine.messages().countUnreadByOperator(),
        engine.spaces().history().countNews(Member.OPERATOR));
  }

  /// People may answer what was asked in their spaces.
  private Frame.Waiting waitingFor(Principal person) {
    return new Frame.Waiting(
        engine.ground().database().read(tx -> PendingCalls.countOpenFor(tx, person.key())),
        0,
        engine.spaces().history().countNews(Member.of(person)));
  }

  private static String name(Principal caller) {
    return caller instanceof Principal.Person person ? person.name() : caller.key();
  }
}
