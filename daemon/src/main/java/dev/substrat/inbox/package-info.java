/// Events that wait for an agent.
@NullMarked
package dev.substrat.inbox;

import org.jspecify.annotations.NullMarked;
