package dev.substrat.space;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Handle;
import dev.substrat.protocol.Problem;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Validation of names, topics and texts of spaces.
final class SpaceRules {
  private static final int MAX_NAME_LENGTH = 80;
  private static final int MAX_TOPIC_LENGTH = 500;

  /// Signs made of many characters: families, flags, skin tones.

  private static final Pattern ID = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

  private SpaceRules() {}

  static void require(Spaces.SpaceDefinition request) {
    var depth = new SpaceChange.ChainDepthChange(request.maxChainDepth());
    require(new SpaceChange(request.name(), request.topic(), request.wakePolicy(), depth));
  }

  static void require(SpaceChange wanted) {
    requireName(wanted.name());
    requireTopic(wanted.topic());
    requireDepth(wanted.depth() == null ? null : wanted.depth().most());
  }

  static void requireName(@Nullable String name) {
    if (name != null && !isOneLine(name, MAX_NAME_LENGTH)) {
      throw wrong(
          "/name",
          "must be one line of 1 to " + MAX_NAME_LENGTH + " characters",
          "choose a shorter name");
    }
  }

  static void requireTopic(@Nullable String topic) {
    if (topic != null && !topic.isEmpty() && !isOneLine(topic, MAX_TOPIC_LENGTH)) {
      throw wrong(
          "/topic",
          "must be one line of at most " + MAX_TOPIC_LENGTH + " characters",
          "use a shorter topic, or post the text in the space");
    }
  }

  static void requireDepth(@Nullable Integer most) {
    if (most != null && most < 1) {
      throw wrong("/maxChainDepth", "must be 1 or more", "omit the key for the daemon's default");
    }
  }

  /// Only the operator changes guards, because they limit costs.
  static void requireNoGuard(List<String> changed) {
    if (changed.contains("wakePolicy") || changed.contains("maxChainDepth")) {
      throw ErrorCode.FORBIDDEN.fault(
          "only the operator can set wakePolicy and maxChainDepth",
          "omit both keys, or ask the operator");
    }
  }

  /// The given id, or one derived from the name.
  static String id(Spaces.SpaceDefinition request) {
    String id = request.id() == null ? Handle.slug(request.name()) : request.id();
    if (id.isEmpty()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "no id can be derived from \"" + request.name() + "\"",
          "set an id, or use a name with letters or digits");
    }
    if (!ID.matcher(id).matches() || id.length() > Handle.MAX_LENGTH) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "\"" + id + "\" is not a valid space id",
          "use lower-case letters, digits and single dashes, at most " + Handle.MAX_LENGTH);
    }
    if (id.startsWith(DmId.PREFIX)) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "ids that begin with dm- are reserved for DMs", "choose another id, or create a dm");
    }
    return id;
  }

  static void requireText(String text) {
    if (text.isBlank()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault("/text is empty", "give a text");
    }
  }

  private static boolean isOneLine(String text, int longest) {
    return !text.isBlank()
        && text.length() <= longest
        && text.chars().noneMatch(c -> c < ' ' || c == '\u2028' || c == '\u2029' || c == '\u0085');
  }

  /// An error with the JSON pointer of the invalid value.
  static Fault wrong(String pointer, String what, String hint) {
    return ErrorCode.INVALID_ARGUMENTS.fault(
        pointer + " " + what, hint, List.of(new Problem.ProblemDetail(pointer, what)));
  }
}
