/// Commands for messages: send, inbox, message.
@NullMarked
package dev.substrat.cli.message;

import org.jspecify.annotations.NullMarked;
