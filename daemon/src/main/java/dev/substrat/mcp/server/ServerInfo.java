package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.McpClientInfo;
import dev.substrat.mcp.wire.ProtocolRevision;
import dev.substrat.platform.json.Json;

/// Name and version of this server, sent to clients.
record ServerInfo(String version) {

  ObjectNode identity() {
    return Json.object().put("name", "substrat").put("title", "Substrat").put("version", version);
  }

  /// Capabilities of the server; the same for all principals.
  ObjectNode capabilities(ProtocolRevision revision) {
    var all = Json.object();
    all.putObject("tools").put("listChanged", true);
    all.putObject("prompts").put("listChanged", true);
    all.putObject("resources").put("listChanged", true).put("subscribe", true);
    all.putObject("completions");
    if (revision.isModern()) {
      all.putObject("extensions").putObject(McpClientInfo.TASKS);
    } else {
      all.putObject("logging");
    }
    return all;
  }
}
