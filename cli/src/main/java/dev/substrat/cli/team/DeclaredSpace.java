package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// One space as a file declares it; `config` is what the daemon is told, but for the members. They
/// are handles of this file or of the daemon, names of people, or the operator.
record DeclaredSpace(String pointer, String id, ObjectNode config, List<String> members) {
  boolean isDm() {
    return config.path("kind").asText().equals("dm");
  }
}
