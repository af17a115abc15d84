/// The HTTP API.
@NullMarked
package dev.substrat.api;

import org.jspecify.annotations.NullMarked;
