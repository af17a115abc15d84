package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// A space declared in a file. `config` is the request body without members. Members are handles
/// from the file or the daemon, names of people, or the operator.
record DeclaredSpace(String pointer, String id, ObjectNode config, List<String> members) {
  boolean isDm() {
    return config.path("kind").asText().equals("dm");
  }
}
