package dev.substrat.platform.identity;

/// Which turn of which agent, for the record.
public record RunId(String value) {

  public static RunId random() {
    return new RunId(Uuid7.next());
  }

  @Override
  public String toString() {
    return value;
  }
}
