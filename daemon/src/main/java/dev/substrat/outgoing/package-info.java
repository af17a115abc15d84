/// Calls to addresses that somebody configured: the one way out, and who may be called on it.
@NullMarked
package dev.substrat.outgoing;

import org.jspecify.annotations.NullMarked;
