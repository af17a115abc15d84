package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Commands for workspaces.
final class WorkspaceCommandsTest extends FakeDaemonCommands {
  private static final String CARD =
      """
      {"agentId":"a1","agent":"ada","directory":"/srv/work","exists":true,"mode":"worktree",
       "sandbox":"plain","network":false,"branch":"substrat/ada"}
      """;

  @Test
  void workspaces_are_listed_and_a_missing_sandbox_is_reported() {
    daemon.answers(
        "GET /api/workspaces",
        200,
        "{\"sandbox\":{\"works\":false,\"detail\":\"bubblewrap is not installed\"},\"workspaces\":["
            + CARD
            + "]}");
    var ran = run("workspace", "list");
    assertThat(ran.out()).contains("ada", "worktree", "plain", "substrat/ada", "/srv/work");
    assertThat(ran.err()).contains("bubblewrap is not installed");
    assertThat(run("workspace", "list", "--json").out()).contains("\"works\":false");
  }

  @Test
  void files_are_listed_and_counted() {
    daemon.answers(
        "GET /api/workspaces/ada?path=src%2Fmain",
        200,
        """
        {"workspace":%s,"size":{"files":2,"bytes":30,"truncated":false},"path":"src/main","files":[
         {"path":"src/main/deep","kind":"folder","size":0},
         {"path":"src/main/a\\u001b[31m","kind":"file","size":10}],"truncated":false}
        """
            .formatted(CARD));
    var ran = run("workspace", "files", "ada", "src/main");
    assertThat(ran.out()).contains("src/main/deep/").doesNotContain("\u001b");
    assertThat(ran.err()).contains("2 files, 30 bytes in total, in /srv/work");
  }

  @Test
  void only_the_patch_is_printed_on_stdout() {
    daemon.answers(
        "GET /api/workspaces/ada/diff",
        200,
        """
        {"branch":"substrat/ada","base":"abc","stat":" 1 file changed","patch":"-one\\n+two\\n",
         "truncated":false}
        """);
    var ran = run("workspace", "diff", "ada");
    assertThat(ran.out()).isEqualToNormalizingNewlines("-one\n+two\n");
    assertThat(ran.err()).contains("substrat/ada", "1 file changed");
  }
}
