/// Rate limits and other limits of an agent.
@NullMarked
package dev.substrat.access.limit;

import org.jspecify.annotations.NullMarked;
