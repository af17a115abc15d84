/// Spaces (channels, DMs): members, messages, reactions, access, the active space of an agent.
@NullMarked
package dev.substrat.space;

import org.jspecify.annotations.NullMarked;
