package dev.substrat.platform.identity;

/// Id of a message.
public record MessageId(String value) {

  public static MessageId random() {
    return new MessageId(Uuid7.next());
  }

  @Override
  public String toString() {
    return value;
  }
}
