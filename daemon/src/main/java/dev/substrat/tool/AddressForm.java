package dev.substrat.tool;

/// One way to say where a message goes. Several toolsets bring a tool of the same name that differs
/// in this only; an agent that has more than one of them gets a single tool made of them all.
public interface AddressForm extends Tool {
  /// The argument that says where; empty if it goes to wherever the agent is.
  String address();
}
