package dev.substrat.mcp.wire;

/// Keywords of the protocol that client and server share.
public final class McpKeywords {
  /// The header that names the revision.
  public static final String REVISION = "MCP-Protocol-Version";

  /// The header that names the session, up to revision 2025-11-25.
  public static final String SESSION = "Mcp-Session-Id";

  /// The header that names the method, in the modern era.
  public static final String METHOD = "Mcp-Method";

  /// The header that names what the request is about, in the modern era.
  public static final String NAME = "Mcp-Name";

  /// In front of every key in `_meta` that is the protocol's own.
  public static final String META = "io.modelcontextprotocol/";

  private McpKeywords() {}
}
