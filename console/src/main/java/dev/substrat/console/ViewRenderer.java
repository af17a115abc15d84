package dev.substrat.console;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;

/// Renders views. All values are escaped for their context, and hidden characters are made visible,
/// see [MarkedOutput].
///
/// Rendering has no side effects; thread-safe.
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
