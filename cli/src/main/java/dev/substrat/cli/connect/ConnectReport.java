package dev.substrat.cli.connect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.cli.terminal.TextStyle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;

/// Prints the result of `connect`, as text or JSON.
record ConnectReport(RootCommand shell) {

  void snippet(ClientKind client, String text) {
    if (shell.wantsJson()) {
      screen().json(JsonTree.object().put("client", client.optionName()).put("snippet", text));
    } else {
      screen().line(TerminalText.block(text).stripTrailing());
    }
  }

  void connected(ChangeResult outcome, ConnectPrincipal principal) {
    EntryLocation site = outcome.location();
    String next = site.client().nextStep(site.name(), site.scope());
    if (shell.wantsJson()) {
      ObjectNode json = json(outcome, site.existing().isPresent() ? "replace" : "add");
      screen().json(json.put("principal", principal.displayName()).put("next", next));
      return;
    }
    if (outcome.change().isEmpty()) {
      screen().line("already connected: " + connection(site, principal));
      return;
    }
    if (!outcome.isWritten()) {
      plan(outcome);
      return;
    }
    screen().line("connected: " + connection(site, principal));
    if (isByVariable(outcome)) {
      screen().line("first: " + export(principal));
    }
    screen().line("next: " + next);
    notes(outcome);
  }

  private static String connection(EntryLocation site, ConnectPrincipal principal) {
    return TerminalText.line(
        "%s acts as %s ('%s' in %s)"
            .formatted(
                site.client().title(), principal.displayName(), site.name(), site.file().path()));
  }

  private String export(ConnectPrincipal principal) {
    String words = "token create " + String.join(" ", principal.arguments());
    return "export %s=$(%s)".formatted(ConnectionEntry.VARIABLE, shell.command(words));
  }

  void removed(ChangeResult outcome) {
    EntryLocation site = outcome.location();
    if (shell.wantsJson()) {
      screen().json(json(outcome, "remove"));
    } else if (outcome.change().isEmpty()) {
      screen().line("not connected: %s has no entry '%s'".formatted(path(site), site.name()));
    } else if (outcome.isWritten()) {
      screen().line("removed '%s' from %s".formatted(site.name(), path(site)));
      notes(outcome);
    } else {
      plan(outcome);
    }
  }

  private void plan(ChangeResult outcome) {
    boolean colours = screen().hasColours();
    for (String line : outcome.change().diff()) {
      screen().line(style(line).paint(TerminalText.line(line), colours));
    }
    screen().note("nothing changed; add --write to change " + path(outcome.location()));
  }

  private static TextStyle style(String line) {
    return switch (line.charAt(0)) {
      case '+' -> line.startsWith("+++ ") ? TextStyle.STRONG : TextStyle.GOOD;
      case '-' -> line.startsWith("--- ") ? TextStyle.STRONG : TextStyle.BAD;
      case '@' -> TextStyle.NAME;
      default -> TextStyle.FAINT;
    };
  }

  private void notes(ChangeResult outcome) {
    Path file = outcome.location().file().path();
    outcome.backup().ifPresent(path -> screen().note("original file: " + path));
    outcome
        .removedToken()
        .map(ClientConfigEntry::tokenId)
        .ifPresent(id ->
            screen().note("the removed token is still valid; to revoke the token: " + revoke(id)));
    if (!outcome.change().after().equals(ClientConfigEntry.masked(outcome.change().after()))
        && isOpen(file)) {
      screen()
          .note("other users can read the token in this file; to prevent that: chmod 600 " + file);
    }
  }

  private String revoke(String id) {
    return shell.command("token revoke " + id);
  }

  private static boolean isOpen(Path file) {
    try {
      var rights = Files.getPosixFilePermissions(file);
      return rights.contains(PosixFilePermission.OTHERS_READ)
          || rights.contains(PosixFilePermission.GROUP_READ);
    } catch (IOException | UnsupportedOperationException _) {
      return false;
    }
  }

  private static boolean isByVariable(ChangeResult outcome) {
    return outcome.location().scope() == ConfigScope.PROJECT
        && outcome.change().after().contains(ConnectionEntry.VARIABLE);
  }

  private static ObjectNode json(ChangeResult outcome, String kind) {
    EntryLocation site = outcome.location();
    var json =
        JsonTree.object()
            .put("client", site.client().optionName())
            .put("scope", site.scope().optionName())
            .put("file", site.file().path().toString())
            .put("name", site.name())
            .put("change", outcome.change().isEmpty() ? "none" : kind)
            .put("written", outcome.isWritten())
            .put("diff", String.join("\n", outcome.change().diff()));
    outcome.backup().ifPresent(path -> json.put("backup", path.toString()));
    return json;
  }

  private static String path(EntryLocation site) {
    return TerminalText.line(site.file().path().toString());
  }

  private Terminal screen() {
    return shell.terminal();
  }

  /// Result of a file change: written or only planned.
  record ChangeResult(FileChange change, boolean isWritten, Optional<Path> backup) {

    static ChangeResult planned(FileChange change) {
      return new ChangeResult(change, false, Optional.empty());
    }

    static ChangeResult written(FileChange change) {
      return new ChangeResult(change, true, change.write());
    }

    EntryLocation location() {
      return change.location();
    }

    /// A token that the change removed from the file. It is still valid.
    Optional<String> removedToken() {
      return location()
          .existingEntry()
          .flatMap(ClientConfigEntry::token)
          .filter(token -> !change.after().contains(token));
    }
  }
}
