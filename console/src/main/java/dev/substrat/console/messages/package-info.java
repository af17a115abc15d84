/// Messages: the list, and one message.
@NullMarked
package dev.substrat.console.messages;

import org.jspecify.annotations.NullMarked;
