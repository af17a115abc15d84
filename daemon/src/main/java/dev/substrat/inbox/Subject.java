package dev.substrat.inbox;

import dev.substrat.id.MessageId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a turn is about: a question that one asker waits for, or the direct messages of one person.
///
/// A turn with a subject is given the events of that subject only, and its final text answers
/// nothing else. So an answer never reaches the wrong asker, and the depth of a chain of messages
/// is that of the conversation it belongs to.
public sealed interface Subject {

  /// How the subject is written in the database and in payloads.
  String key();

  /// A message whose sender waits for the answer.
  record Question(MessageId message) implements Subject {
    @Override
    public String key() {
      return message.value();
    }
  }

  /// What a person writes in the direct messages with the agent.
  record DirectMessages(String space) implements Subject {
    private static final String PREFIX = "dm:";

    @Override
    public String key() {
      return PREFIX + space;
    }
  }

  static Subject parse(String key) {
    return key.startsWith(DirectMessages.PREFIX)
        ? new DirectMessages(key.substring(DirectMessages.PREFIX.length()))
        : new Question(new MessageId(key));
  }

  /// The question, if the key is the one of a question.
  static Optional<MessageId> findQuestion(@Nullable String key) {
    return key != null && parse(key) instanceof Question question
        ? Optional.of(question.message())
        : Optional.empty();
  }
}
