package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// One agent as a file declares it. Within the file its handle is its identity, whether it was
/// written down or follows from the name; `parent` is a handle, too, of this file or of the daemon.
/// `snapshot` holds its keys `memory`, `goals` and `plans`, `config` all others.
record DeclaredAgent(
    String pointer,
    String name,
    String handle,
    boolean isHandleGiven,
    @Nullable String parent,
    ObjectNode config,
    ObjectNode snapshot) {}
