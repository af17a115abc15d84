/// Directed messages: sending, routing, replies, delivery states, loop guards.
@NullMarked
package dev.substrat.messaging.message;

import org.jspecify.annotations.NullMarked;
