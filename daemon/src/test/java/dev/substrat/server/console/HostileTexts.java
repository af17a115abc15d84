package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/// Texts that try to execute code in a browser.
final class HostileTexts {
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

  private HostileTexts() {}

  /// Requires that the page contains none of them unescaped.
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
    // Quoted attribute values stay quoted.
    assertThat(page.replaceAll("=\"[^\"]*\"", ""))
        .doesNotContainPattern("<[a-z]+ [^>]*\\bon[a-z]+=");
  }
}
