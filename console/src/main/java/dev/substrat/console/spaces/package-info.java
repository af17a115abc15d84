/// Pages of spaces: list and conversation.
@NullMarked
package dev.substrat.console.spaces;

import org.jspecify.annotations.NullMarked;
