package dev.substrat.cli.client;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Replaces JSON pointers in error texts with names of options and arguments. Pointers into a file
/// (`/tools/0/executionType`) are kept.
final class PointerTranslator {
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("/goals/0", "the goal"),
          Map.entry("/goals/0/id", "--id"),
          Map.entry("/goals/0/description", "TEXT"),
          Map.entry("/goals/0/priority", "--priority"),
          Map.entry("/goals/0/status", "--status"),
          Map.entry("/plans/0", "the plan"),
          Map.entry("/plans/0/id", "--id"),
          Map.entry("/plans/0/name", "NAME"),
          Map.entry("/plans/0/instruction", "TEXT"),
          Map.entry("/plans/0/cron", "--cron"),
          Map.entry("/plans/0/scheduledAt", "--at"),
          Map.entry("/plans/0/runAfter", "--after"),
          Map.entry("/plans/0/timezone", "--timezone"),
          Map.entry("/wakePolicy", "--wake"),
          Map.entry("/maxChainDepth", "--depth"),
          Map.entry("/fromStep", "--from-step"),
          Map.entry("/graceSeconds", "--grace"),
          Map.entry("/usd", "--usd"),
          Map.entry("/tokens", "--tokens"),
          Map.entry("/turns", "--turns"),
          Map.entry("/seconds", "--seconds"),
          // Options of some commands, arguments of others.
          Map.entry("/name", "the name"),
          Map.entry("/kind", "the kind"),
          Map.entry("/topic", "the topic"),
          Map.entry("/text", "the text"),
          Map.entry("/content", "the text"),
          Map.entry("/label", "the label"),
          Map.entry("/limit", "the limit"),
          Map.entry("/description", "the description"),
          Map.entry("/emoji", "the emoji"));

  private static final Pattern POINTER = Pattern.compile("(?<![^\\s;(])/[A-Za-z][\\w/]*(?![\\w/])");

  private PointerTranslator() {}

  static String replaceIn(String said) {
    return POINTER
        .matcher(said)
        .replaceAll(
            found -> Matcher.quoteReplacement(NAMES.getOrDefault(found.group(), found.group())));
  }
}
