package dev.substrat.messaging.inbox;

import dev.substrat.platform.identity.MessageId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Subject of a turn: a question that one asker waits for, the direct messages of one person, or
/// what follows from a turn in another space.
///
/// A turn with a subject gets the events of that subject only, and its final text answers nothing
/// else. So an answer never reaches the wrong asker, and the depth of a chain of messages is that
/// of its conversation.
public sealed interface TurnSubject {

  /// Key in the database and in payloads.
  String key();

  /// A message whose sender waits for the answer.
  record QuestionSubject(MessageId message) implements TurnSubject {
    @Override
    public String key() {
      return message.value();
    }
  }

  /// Direct messages of a person to the agent.
  record DirectMessageSubject(String space) implements TurnSubject {
    private static final String PREFIX = "dm:";

    @Override
    public String key() {
      return PREFIX + space;
    }
  }

  /// Replies, tool results and reminders that a turn in a space has caused. The messages of the
  /// space themselves have no subject: they are given to any turn in that space.
  record SpaceSubject(String space) implements TurnSubject {
    private static final String PREFIX = "space:";

    @Override
    public String key() {
      return PREFIX + space;
    }
  }

  static TurnSubject parse(String key) {
    if (key.startsWith(DirectMessageSubject.PREFIX)) {
      return new DirectMessageSubject(key.substring(DirectMessageSubject.PREFIX.length()));
    }
    return key.startsWith(SpaceSubject.PREFIX)
        ? new SpaceSubject(key.substring(SpaceSubject.PREFIX.length()))
        : new QuestionSubject(new MessageId(key));
  }

  /// The space whose conversation the subject is part of.
  static Optional<String> findSpace(@Nullable String key) {
    return key == null
        ? Optional.empty()
        : switch (parse(key)) {
          case QuestionSubject _ -> Optional.empty();
          case DirectMessageSubject dm -> Optional.of(dm.space());
          case SpaceSubject in -> Optional.of(in.space());
        };
  }

  /// The question, if the key is the one of a question.
  static Optional<MessageId> findQuestion(@Nullable String key) {
    return key != null && parse(key) instanceof QuestionSubject question
        ? Optional.of(question.message())
        : Optional.empty();
  }
}
