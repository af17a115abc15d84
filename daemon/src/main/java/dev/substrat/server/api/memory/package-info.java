/// HTTP API of memory and search.
@NullMarked
package dev.substrat.server.api.memory;

import org.jspecify.annotations.NullMarked;
