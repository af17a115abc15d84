package dev.substrat.cli.connect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.configedit.ConfigEntryEditor;
import dev.substrat.cli.configedit.EditableTextFile;
import dev.substrat.cli.terminal.CommandEnvironment;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Location of an entry in a client's file, with the current content.
record EntryLocation(
    ClientKind client,
    ConfigScope scope,
    String name,
    EditableTextFile file,
    ConfigEntryEditor entries) {

  static EntryLocation of(
      ClientKind client, ConfigScope scope, String name, CommandEnvironment machine) {
    var file = EditableTextFile.read(ClientConfigPath.of(client, scope, machine));
    var entries = ConfigEntryEditor.of(file.path().toString(), client.format(), file.text());
    return new EntryLocation(client, scope, name, file, entries);
  }

  List<String> path() {
    var path = new ArrayList<>(client.container(entries.value()));
    path.add(name);
    return path;
  }

  Optional<JsonNode> existing() {
    return entries.find(path());
  }

  Optional<ClientConfigEntry> existingEntry() {
    return existing().flatMap(ClientConfigEntry::of);
  }

  /// The entry in this client's format.
  ObjectNode entry(ConnectionEntry connection) {
    ObjectNode entry = connection.entry(client, name);
    if (path().size() > 2) {
      // Version 2 of opencode supports only `disabled`.
      entry.remove("enabled");
    }
    return entry;
  }

  /// The file content with the entry added.
  FileChange put(ConnectionEntry connection, boolean force) {
    ObjectNode entry = entry(connection);
    var present = existing();
    if (present.isPresent() && existingEntry().isEmpty() && !force) {
      throw foreign(present.get());
    }
    if (existingEntry().isPresent()) {
      entry = ClientConfigEntry.refreshed(present.orElseThrow(), entry);
    }
    boolean same = present.isPresent() && present.get().equals(entry);
    return new FileChange(this, same ? file.text() : entries.with(path(), entry));
  }

  FileChange remove(boolean force) {
    if (existing().isPresent() && existingEntry().isEmpty() && !force) {
      throw foreign(existing().get());
    }
    return new FileChange(this, entries.without(path()));
  }

  private Fault foreign(JsonNode entry) {
    return ErrorCode.CONFLICT.fault(
        "%s has an entry '%s' that Substrat did not write: %s"
            .formatted(file.path(), name, ClientConfigEntry.displayText(entry)),
        "choose another --name, or add --force to replace the entry");
  }
}
