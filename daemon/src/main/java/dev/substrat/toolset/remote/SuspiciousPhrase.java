package dev.substrat.toolset.remote;

import java.util.regex.Pattern;

/// Phrases that make the definition of a tool suspicious: they address the model instead of
/// describing the tool. The list is in `docs/remote-servers.md`, too.
///
/// A definition with such a phrase is not rejected: a person decides. A phrase that an honest
/// server might use costs one approval, so the list can be strict. A definition without them is not
/// proven harmless.
enum SuspiciousPhrase {
  IGNORE_INSTRUCTIONS(
      "asks the model to ignore its instructions",
      "ignore previous instructions",
      "\\b(ignore|disregard|forget|override)\\b.{0,30}"
          + "\\b(previous|prior|above|earlier|preceding|all|any|other|your|system)\\b.{0,20}"
          + "\\b(instructions?|rules|prompts?|guidelines)\\b"),
  HIDE_FROM_PEOPLE(
      "asks the model to hide something from people",
      "do not tell the user",
      "\\b(do not|don[’']?t|never|without)\\b.{0,15}"
          + "\\b(tell|inform|mention|show|notify|reveal|alert|telling|informing|mentioning|notifying)"
          + "\\b.{0,25}\\b(user|users|human|humans|person|people|operator|anyone|anybody)\\b"),
  MARKUP(
      "contains markup that models read as instructions",
      "<IMPORTANT>",
      "<\\s*/?\\s*(important|system|secret|hidden|instructions?|admin|override)\\s*>"
          + "|\\[/?inst\\]|<\\|\\w+\\|>"),
  SYSTEM_PROMPT("mentions the system prompt", "system prompt", "\\bsystem prompts?\\b"),
  NEW_ROLE(
      "gives the model a new role or new instructions",
      "you are now",
      "\\byou are now\\b|\\bnew (system )?instructions?\\s*:"),
  SECRET_FILES(
      "names files that contain secrets",
      "read ~/.ssh",
      "(~|\\$home|\\$\\{home\\}|/root|/home/[^/\\s]+)/\\.(ssh|aws|gnupg|kube|docker|netrc|npmrc|pgpass)\\b"
          + "|\\bid_(rsa|ed25519|ecdsa)\\b|/etc/shadow\\b|\\.cursor/mcp\\.json"
          + "|claude_desktop_config"),
  SEND_CONVERSATION(
      "asks for the conversation or other private data",
      "send the conversation history",
      "\\b(send|forward|upload|copy|include|pass|transmit|attach)\\b.{0,40}"
          + "\\b(conversation|chat) (history|log)\\b|\\bexfiltrat");

  private final String meaning;
  private final String example;
  private final Pattern pattern;

  SuspiciousPhrase(String meaning, String example, String pattern) {
    this.meaning = meaning;
    this.example = example;
    this.pattern = Pattern.compile(pattern, Pattern.CASE_INSENSITIVE);
  }

  /// What such a definition does, for people.
  String meaning() {
    return meaning;
  }

  /// An example phrase, for the documentation.
  String example() {
    return example;
  }

  Pattern pattern() {
    return pattern;
  }
}
