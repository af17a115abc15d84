package dev.substrat.cli.connect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.edit.Entries;
import dev.substrat.cli.edit.TextFile;
import dev.substrat.cli.shell.Machine;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The place of one entry in a client's file, as it is now.
record Site(Client client, Scope scope, String name, TextFile file, Entries entries) {

  static Site of(Client client, Scope scope, String name, Machine machine) {
    var file = TextFile.read(ConfigPath.of(client, scope, machine));
    var entries = Entries.of(file.path().toString(), client.notation(), file.text());
    return new Site(client, scope, name, file, entries);
  }

  List<String> path() {
    var path = new ArrayList<>(client.container(entries.value()));
    path.add(name);
    return path;
  }

  Optional<JsonNode> present() {
    return entries.find(path());
  }

  Optional<Tie> tie() {
    return present().flatMap(Tie::of);
  }

  /// The door in this client's words.
  ObjectNode entry(Door door) {
    ObjectNode entry = door.entry(client, name);
    if (path().size() > 2) {
      // Version 2 of opencode knows only `disabled`.
      entry.remove("enabled");
    }
    return entry;
  }

  /// What the file will say once the entry is in it.
  Change put(Door door, boolean force) {
    ObjectNode entry = entry(door);
    var present = present();
    if (present.isPresent() && tie().isEmpty() && !force) {
      throw foreign(present.get());
    }
    if (tie().isPresent()) {
      entry = Tie.renewed(present.orElseThrow(), entry);
    }
    boolean same = present.isPresent() && present.get().equals(entry);
    return new Change(this, same ? file.text() : entries.with(path(), entry));
  }

  Change remove(boolean force) {
    if (present().isPresent() && tie().isEmpty() && !force) {
      throw foreign(present().get());
    }
    return new Change(this, entries.without(path()));
  }

  private Fault foreign(JsonNode entry) {
    return new Fault(
        ErrorCode.CONFLICT,
        "%s has an entry '%s' that is not ours: %s".formatted(file.path(), name, Tie.shown(entry)),
        "choose another --name, or add --force to replace it");
  }
}
