/// Middleware around tool calls: repair, cache, redact.
@NullMarked
package dev.substrat.toolset.custom.middleware;

import org.jspecify.annotations.NullMarked;
