package dev.substrat.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.JsonSchema;

/// One way to say where a message goes. Several toolsets bring a tool of the same name that differs
/// in this only; an agent that has more than one of them gets a single tool made of them all.
public interface AddressForm extends Tool {
  @Override
  default String name() {
    return "send_message";
  }

  @Override
  default ToolEffect effect() {
    return ToolEffect.DOES;
  }

  @Override
  default boolean isOneTransaction() {
    return true;
  }

  /// The argument that says where; empty if it goes to wherever the agent is.
  String address();

  /// The arguments it takes as a part of a tool with several forms: at least those of [#input], and
  /// those of other forms that it can make sense of or ignore.
  default JsonSchema accepted() {
    return input();
  }

  /// True if the arguments mean this form although they lack its address.
  default boolean isMeant(ToolCall call, ObjectNode arguments) {
    return false;
  }

  /// Throws a fault if a message without an address could be meant for this form, so that it must
  /// not go to the form that needs none.
  default void requireAddress(ToolCall call) {}
}
