/// Pages of messages: list and details.
@NullMarked
package dev.substrat.console.messages;

import org.jspecify.annotations.NullMarked;
