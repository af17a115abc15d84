package dev.substrat.cli.memory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.stream.Collectors;

/// Writes a block. Prints a note if nothing changed or if other agents share the block.
record BlockWriter(RootCommand shell, MemoryPrinter pages) {

  void set(String block, ObjectNode body) {
    long before = version(block);
    JsonNode now = shell.daemon().put(block, body);
    boolean isSame = now.path("version").asLong() == before;
    print(now);
    if (isSame && !shell.wantsJson()) {
      shell
          .terminal()
          .note(
              "content unchanged, so there is no new version"
                  + (body.has("reason") ? ", and --why was not saved" : ""));
    } else {
      tellReaders(now);
    }
  }

  void undo(String block) {
    JsonNode now = shell.daemon().post(block + "/undo", JsonTree.object());
    print(now);
    tellReaders(now);
  }

  /// Zero for a new block.
  private long version(String block) {
    try {
      return shell.daemon().read(block).path("version").asLong();
    } catch (Fault fault) {
      if (fault.code() == ErrorCode.NOT_FOUND) {
        return 0;
      }
      throw fault;
    }
  }

  private void print(JsonNode block) {
    if (shell.wantsJson()) {
      shell.terminal().json(block);
    } else {
      pages.block(block);
    }
  }

  private void tellReaders(JsonNode block) {
    if (block.path("shared").asBoolean() && !shell.wantsJson()) {
      shell
          .terminal()
          .note(TerminalText.line("this block is shared; it changed for " + readers(block)));
    }
  }

  /// The block has been written, so a failure to list its readers is ignored.
  private String readers(JsonNode block) {
    try {
      return shell
          .daemon()
          .read(DaemonClient.path("/api/shared-blocks/", block.path("id").asText()))
          .path("agents")
          .valueStream()
          .map(one -> one.path("agent").asText())
          .collect(Collectors.joining(", "));
    } catch (Fault _) {
      return "all agents that share it";
    }
  }
}
