/// Typed identifiers, so that an agent is never mistaken for a message.
@NullMarked
package dev.substrat.id;

import org.jspecify.annotations.NullMarked;
