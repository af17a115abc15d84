package dev.substrat.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.JsonSchema;

/// Variant of a tool that differs from others of the same name only in how the recipient is
/// addressed. An agent with several variants gets a single tool that combines them.
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

  /// The argument with the address; empty if the active space is the address.
  String address();

  /// Arguments that are accepted as a part of a combined tool: at least those of [#input], and
  /// arguments of other variants that it supports or ignores.
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
