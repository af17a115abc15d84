package dev.substrat.platform.identity;

/// Id of a run: the record of one turn of one agent.
public record RunId(String value) {

  public static RunId random() {
    return new RunId(Uuid7.next());
  }

  @Override
  public String toString() {
    return value;
  }
}
