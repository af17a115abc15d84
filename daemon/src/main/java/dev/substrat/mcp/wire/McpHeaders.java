package dev.substrat.mcp.wire;

/// Keywords of the protocol that client and server share.
public final class McpHeaders {
  /// Header with the protocol revision.
  public static final String REVISION = "MCP-Protocol-Version";

  /// Header with the session id, up to revision 2025-11-25.
  public static final String SESSION = "Mcp-Session-Id";

  /// Header with the method, in the modern era.
  public static final String METHOD = "Mcp-Method";

  /// Header with the name that the request refers to, in the modern era.
  public static final String NAME = "Mcp-Name";

  /// Prefix of the protocol's keys in `_meta`.
  public static final String META = "io.modelcontextprotocol/";

  private McpHeaders() {}
}
