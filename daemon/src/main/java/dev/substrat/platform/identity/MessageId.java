package dev.substrat.platform.identity;

/// Id of a message.
public record MessageId(String value) {

  public static MessageId random() {
    return new MessageId(Uuid7.next());
  }

  /// The next larger id: for something that follows this one and has no row of its own.
  public MessageId following() {
    return new MessageId(Uuid7.after(value));
  }

  @Override
  public String toString() {
    return value;
  }
}
