package dev.substrat.console;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;

/// Draws views. What they say is escaped for the place where it stands, whoever wrote it, and
/// hidden characters in it are shown, see [MarkedOutput].
///
/// The same view is always the same text, and drawing touches nothing else: safe for many threads.
public final class ViewRenderer {
  private static final TemplateEngine TEMPLATES =
      TemplateEngine.createPrecompiled(ContentType.Html);

  private ViewRenderer() {}

  public static String of(View view) {
    var text = new StringOutput();
    TEMPLATES.render(view.template() + ".jte", view, new MarkedOutput(text));
    return text.toString();
  }
}
