package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/// What somebody might write who wants to run something in a reader's browser.
final class Hostile {
  static final List<String> TEXTS =
      List.of(
          "<script>alert(1)</script>",
          "\"><img src=x onerror=alert(2)>",
          "'><iframe src='javascript:alert(3)'></iframe>",
          "</textarea></title><style>@import 'x'</style>",
          "[x](javascript:alert(4)) javascript:alert(5)",
          "https://a.example/\"onmouseover=\"alert(6)",
          "https://a.example/'><b onclick=alert(7)>",
          "```\n</code></pre><form action=//evil.example><input name=x>\n```",
          "`<object data=x>` **<embed src=x>** @<base-href>",
          "${7*7} {{7*7}} @if(true) !{unsafe} @`x`",
          "\u202Egnp.exe <a href=data:text/html,x>x</a>",
          "<!-- <marquee> --> &lt;b&gt; &#x3C;i&#x3E;");

  private Hostile() {}

  /// None of it is part of the page's own text.
  static void assertHarmless(String page) {
    assertThat(page)
        .doesNotContain(
            "<script>",
            "<img",
            "<iframe",
            "<style",
            "<object",
            "<embed",
            "<base",
            "<marquee",
            "<b ")
        .doesNotContain("href=\"javascript:", "href=\"data:", "<form action=//");
    // Whatever stands in quotes stays there.
    assertThat(page.replaceAll("=\"[^\"]*\"", ""))
        .doesNotContainPattern("<[a-z]+ [^>]*\\bon[a-z]+=");
  }
}
