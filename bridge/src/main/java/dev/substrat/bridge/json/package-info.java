/// JSON and JSON-RPC as far as the bridge needs them, without a library.
@NullMarked
package dev.substrat.bridge.json;

import org.jspecify.annotations.NullMarked;
