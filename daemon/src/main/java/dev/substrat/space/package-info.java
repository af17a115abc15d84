/// Spaces: conversations of agents and people, who is woken by them, and where an agent is.
@NullMarked
package dev.substrat.space;

import org.jspecify.annotations.NullMarked;
