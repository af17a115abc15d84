package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.wire.Daemon;
import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import java.util.List;

/// Asks the daemon whether declared spaces would do, and changes nothing.
record SpaceRehearsal(Daemon daemon, Refusals refusals) {

  void create(DeclaredSpace space) {
    note(space, () -> post(space));
  }

  /// Whether or not there is one: only what the file says of it is looked at.
  void proofread(DeclaredSpace space) {
    note(
        space,
        () -> {
          try {
            post(space);
          } catch (Fault fault) {
            if (fault.code() != ErrorCode.CONFLICT) {
              throw fault;
            }
          }
        });
  }

  void update(DeclaredSpace space, List<String> changed) {
    ObjectNode body = space.config().deepCopy().retain(changed);
    body.remove("kind");
    String target = Daemon.path("/api/spaces/", space.id()) + "?dryRun=true";
    note(space, () -> daemon.put(target, body));
  }

  private void post(DeclaredSpace space) {
    ObjectNode body = space.config().deepCopy();
    space.members().forEach(body.withArrayProperty("members")::add);
    daemon.post("/api/spaces?dryRun=true", body);
  }

  private void note(DeclaredSpace space, Runnable request) {
    try {
      request.run();
    } catch (Fault fault) {
      if (fault.code().kind() != ErrorCode.Kind.CALLER) {
        throw fault;
      }
      refusals.add(space, fault);
    }
  }
}
