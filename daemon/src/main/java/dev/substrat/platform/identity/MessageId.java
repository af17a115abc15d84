package dev.substrat.platform.identity;

/// Which message.
public record MessageId(String value) {

  public static MessageId random() {
    return new MessageId(Uuid7.next());
  }

  @Override
  public String toString() {
    return value;
  }
}
