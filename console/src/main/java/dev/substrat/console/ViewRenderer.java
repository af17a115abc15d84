package dev.substrat.console;

import dev.substrat.protocol.HiddenCharacters;
import dev.substrat.protocol.HiddenCharacters.TextPart;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.TemplateOutput;
import gg.jte.html.OwaspHtmlTemplateOutput;
import gg.jte.output.StringOutput;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

  /// Template output that makes hidden characters visible in every value.
  ///
  /// All values of all templates pass here. In text, a hidden character becomes a marked `<span>`;
  /// where markup is impossible (titles, options, labels), it is escaped. Values that go back to
  /// the daemon or to scripts stay exact: form fields, addresses, identifiers.
  private static final class MarkedOutput extends OwaspHtmlTemplateOutput {
    /// Attributes that are shown or read aloud.
    private static final Set<String> READ =
        Set.of(
            "alt",
            "aria-label",
            "data-confirm",
            "data-confirm-detail",
            "data-problem",
            "placeholder",
            "title");

    /// Elements that contain only text.
    private static final Set<String> WITHOUT_MARKUP = Set.of("option", "text", "title");

    private @Nullable String tag;
    private @Nullable String attribute;

    MarkedOutput(TemplateOutput output) {
      super(output);
    }

    @Override
    public void setContext(String tagName, @Nullable String attributeName) {
      super.setContext(tagName, attributeName);
      tag = tagName;
      attribute = attributeName;
    }

    @Override
    public void writeUserContent(@Nullable String value) {
      if (value == null || isExact() || !HiddenCharacters.contains(value)) {
        super.writeUserContent(value);
      } else if (attribute != null || (tag != null && WITHOUT_MARKUP.contains(tag))) {
        super.writeUserContent(HiddenCharacters.escape(value));
      } else {
        HiddenCharacters.parts(value).forEach(this::writeMarked);
      }
    }

    private boolean isExact() {
      return attribute == null ? "textarea".equals(tag) : !READ.contains(attribute);
    }

    private void writeMarked(TextPart part) {
      if (part.isHidden()) {
        writeContent("<span class=\"hidden-character\" title=\"Hidden character\">");
        super.writeUserContent(part.shown());
        writeContent("</span>");
      } else {
        super.writeUserContent(part.text());
      }
    }
  }
}
