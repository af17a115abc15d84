/// Minimal JSON and JSON-RPC support without a library.
@NullMarked
package dev.substrat.bridge.json;

import org.jspecify.annotations.NullMarked;
