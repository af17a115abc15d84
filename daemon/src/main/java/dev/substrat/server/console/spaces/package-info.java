/// Console pages of spaces.
@NullMarked
package dev.substrat.server.console.spaces;

import org.jspecify.annotations.NullMarked;
