package dev.substrat.server.console;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Form of the builder, parsed and submitted like in a browser.
final class BuilderForm {
  private BuilderForm() {}

  static String[] with(String[] fields, String name, String value) {
    String[] changed = fields.clone();
    changed[List.of(fields).indexOf(name) + 1] = value;
    return changed;
  }

  /// All fields of a form, as a browser would send them.
  static String[] asShown(String page) {
    String form =
        page.substring(
            page.indexOf("id=\"builder\""),
            page.indexOf("</form>", page.indexOf("id=\"builder\"")));
    var fields = new ArrayList<String>();
    Pattern.compile("<input([^>]*)>")
        .matcher(form)
        .results()
        .forEach(match -> {
          String input = match.group(1);
          if (!input.contains("type=\"checkbox\"") || input.contains(" checked")) {
            fields.addAll(
                List.of(
                    attribute(input, "name"),
                    input.contains("value=") ? attribute(input, "value") : "on"));
          }
        });
    Pattern.compile("<textarea([^>]*)>([^<]*)</textarea>")
        .matcher(form)
        .results()
        .forEach(match ->
            fields.addAll(List.of(attribute(match.group(1), "name"), unescaped(match.group(2)))));
    Pattern.compile("<select([^>]*)>(.*?)</select>", Pattern.DOTALL)
        .matcher(form)
        .results()
        .forEach(match -> {
          var chosen =
              Pattern.compile("<option value=\"([^\"]*)\" selected").matcher(match.group(2));
          fields.addAll(
              List.of(attribute(match.group(1), "name"), chosen.find() ? chosen.group(1) : ""));
        });
    return fields.toArray(String[]::new);
  }

  static String attribute(String tag, String name) {
    var found = Pattern.compile(" " + name + "=\"([^\"]*)\"").matcher(tag);
    return found.find() ? unescaped(found.group(1)) : "";
  }

  private static String unescaped(String text) {
    return text.replace("&#34;", "\"")
        .replace("&#39;", "'")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
  }
}
