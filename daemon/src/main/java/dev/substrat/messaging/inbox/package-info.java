/// Inbox events that wait for an agent, their subjects, and the claims of turns.
@NullMarked
package dev.substrat.messaging.inbox;

import org.jspecify.annotations.NullMarked;
