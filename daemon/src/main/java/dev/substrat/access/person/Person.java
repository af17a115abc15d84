package dev.substrat.access.person;

import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Role;
import dev.substrat.store.ResultRow;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A human user. `name` is the handle and identity; `displayName` is for display only.
public record Person(
    String name,
    @Nullable String displayName,
    Role role,
    Instant createdAt,
    @Nullable Instant removedAt) {

  static final String SELECT =
      "select name, display_name, role, created_at, removed_at from person ";

  public Principal.PersonPrincipal principal() {
    return new Principal.PersonPrincipal(name, role);
  }

  boolean isHere() {
    return removedAt == null;
  }

  static Person of(ResultRow row) {
    return new Person(
        row.text("name"),
        row.textOrNull("display_name"),
        Role.parse(row.text("role")),
        row.instant("created_at"),
        row.instantOrNull("removed_at"));
  }
}
