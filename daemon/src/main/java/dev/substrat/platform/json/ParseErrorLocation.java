package dev.substrat.platform.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.util.List;
import java.util.regex.Pattern;

/// What is wrong with something that somebody typed as YAML or JSON, and in which line.
///
/// Parsers tell what they were doing when they could not go on; whoever typed it wants to know what
/// to look for.
record ParseErrorLocation(String line, String words) {
  /// The first is where that began which has no end, the last where the parser gave up.
  private static final Pattern LINE = Pattern.compile("line (\\d+), column \\d+");

  private static final Pattern SIGN = Pattern.compile("found character '(.)' that cannot start");
  private static final Pattern TWICE = Pattern.compile("Duplicate field '(.*)'", Pattern.DOTALL);

  /// What a parser says, and what that means.
  private record Known(String said, String meant) {}

  private static final List<Known> UNFINISHED =
      List.of(
          new Known("parsing a flow sequence", "a [ has no ], or a comma is missing"),
          new Known("parsing a flow mapping", "a { has no }, or a comma is missing"),
          new Known(
              "parsing a flow node", "a [ or { has no end, or there is a comma without a value"),
          new Known(
              "found unexpected end of stream", "a quotation mark has no other one to end it"));

  private static final List<Known> KNOWN =
      List.of(
          new Known(
              "mapping values are not allowed",
              "a colon stands where none can be; write a text with a colon in quotation marks, and"
                  + " indent keys that belong together alike"),
          new Known("could not find expected ':'", "a key has no colon behind it"),
          new Known(
              "expected <block end>", "it is indented otherwise than what it belongs to above"),
          new Known("(TAB)", "there is a tab; indent with spaces"),
          new Known("unknown escape", "a backslash in quotation marks means something; write two"),
          new Known("parsing a block node", "a bracket is closed that was never opened"),
          new Known(
              "scanning an anchor", "a text with & or * at its beginning needs quotation marks"),
          new Known(
              "scanning an alias", "a text with & or * at its beginning needs quotation marks"),
          new Known("special characters", "there is a sign that cannot be seen; remove it"));

  static ParseErrorLocation of(JsonProcessingException e) {
    String said = e.getOriginalMessage();
    String here = e.getLocation() == null ? "?" : String.valueOf(e.getLocation().getLineNr());
    List<String> lines = LINE.matcher(said).results().map(found -> found.group(1)).toList();
    for (Known one : UNFINISHED) {
      if (said.contains(one.said())) {
        return new ParseErrorLocation(lines.isEmpty() ? here : lines.getFirst(), one.meant());
      }
    }
    return new ParseErrorLocation(lines.isEmpty() ? here : lines.getLast(), words(e, said));
  }

  private static String words(JsonProcessingException e, String said) {
    if (e instanceof MismatchedInputException) {
      return "a line of --- has begun a second document; leave one of them";
    }
    var twice = TWICE.matcher(said);
    if (twice.find()) {
      return "the key \"" + twice.group(1) + "\" is there twice";
    }
    var sign = SIGN.matcher(said);
    if (sign.find()) {
      return "a text that begins with " + sign.group(1) + " needs quotation marks";
    }
    return KNOWN.stream()
        .filter(one -> said.contains(one.said()))
        .findFirst()
        .map(Known::meant)
        .orElse("this is neither YAML nor JSON");
  }
}
