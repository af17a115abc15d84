/// The HTTP API.
@NullMarked
package dev.substrat.server.api;

import org.jspecify.annotations.NullMarked;
