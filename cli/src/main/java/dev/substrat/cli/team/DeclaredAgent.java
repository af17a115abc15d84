package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// An agent declared in a file. Its handle, explicit or derived from the name, identifies it within
/// the file. `parent` is a handle from the file or the daemon. `snapshot` has the keys `memory`,
/// `goals` and `plans`, `config` all others.
record DeclaredAgent(
    String pointer,
    String name,
    String handle,
    boolean hasExplicitHandle,
    @Nullable String parent,
    ObjectNode config,
    ObjectNode snapshot) {}
