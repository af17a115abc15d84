/// HTTP API of spaces.
@NullMarked
package dev.substrat.server.api.spaces;

import org.jspecify.annotations.NullMarked;
