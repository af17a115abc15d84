package dev.substrat.cli.connect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.shell.Plain;
import dev.substrat.cli.shell.Screen;
import dev.substrat.cli.shell.Shell;
import dev.substrat.cli.shell.Style;
import dev.substrat.cli.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;

/// Tells a person or a program what was done or would be.
record Report(Shell shell) {

  void snippet(Client client, String text) {
    if (shell.wantsJson()) {
      screen().json(Json.object().put("client", client.word()).put("snippet", text));
    } else {
      screen().line(Plain.block(text).stripTrailing());
    }
  }

  void connected(Outcome outcome, Principal principal) {
    Site site = outcome.site();
    String next = site.client().next(site.name(), site.scope());
    if (shell.wantsJson()) {
      ObjectNode json = json(outcome, site.present().isPresent() ? "replace" : "add");
      screen().json(json.put("principal", principal.word()).put("next", next));
      return;
    }
    if (outcome.change().isNone()) {
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

  private static String connection(Site site, Principal principal) {
    return Plain.line(
        "%s acts as %s ('%s' in %s)"
            .formatted(site.client().title(), principal.word(), site.name(), site.file().path()));
  }

  private String export(Principal principal) {
    String words = "token create " + String.join(" ", principal.arguments());
    return "export %s=$(%s)".formatted(Door.VARIABLE, shell.command(words));
  }

  void removed(Outcome outcome) {
    Site site = outcome.site();
    if (shell.wantsJson()) {
      screen().json(json(outcome, "remove"));
    } else if (outcome.change().isNone()) {
      screen().line("not connected: %s has no entry '%s'".formatted(path(site), site.name()));
    } else if (outcome.isWritten()) {
      screen().line("removed '%s' from %s".formatted(site.name(), path(site)));
      notes(outcome);
    } else {
      plan(outcome);
    }
  }

  private void plan(Outcome outcome) {
    boolean colours = screen().hasColours();
    for (String line : outcome.change().diff()) {
      screen().line(style(line).paint(Plain.line(line), colours));
    }
    screen().note("nothing was changed; add --write to change " + path(outcome.site()));
  }

  private static Style style(String line) {
    return switch (line.charAt(0)) {
      case '+' -> line.startsWith("+++ ") ? Style.STRONG : Style.GOOD;
      case '-' -> line.startsWith("--- ") ? Style.STRONG : Style.BAD;
      case '@' -> Style.NAME;
      default -> Style.FAINT;
    };
  }

  private void notes(Outcome outcome) {
    Path file = outcome.site().file().path();
    outcome.backup().ifPresent(path -> screen().note("the file as it was: " + path));
    outcome
        .leftOver()
        .map(Tie::tokenId)
        .ifPresent(id -> screen().note("the token it held still works; end it: " + revoke(id)));
    if (!outcome.change().after().equals(Tie.masked(outcome.change().after())) && isOpen(file)) {
      screen().note("others may read the token in it; close it: chmod 600 " + file);
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

  private static boolean isByVariable(Outcome outcome) {
    return outcome.site().scope() == Scope.PROJECT
        && outcome.change().after().contains(Door.VARIABLE);
  }

  private static ObjectNode json(Outcome outcome, String kind) {
    Site site = outcome.site();
    var json =
        Json.object()
            .put("client", site.client().word())
            .put("scope", site.scope().word())
            .put("file", site.file().path().toString())
            .put("name", site.name())
            .put("change", outcome.change().isNone() ? "none" : kind)
            .put("written", outcome.isWritten())
            .put("diff", String.join("\n", outcome.change().diff()));
    outcome.backup().ifPresent(path -> json.put("backup", path.toString()));
    return json;
  }

  private static String path(Site site) {
    return Plain.line(site.file().path().toString());
  }

  private Screen screen() {
    return shell.screen();
  }
}
