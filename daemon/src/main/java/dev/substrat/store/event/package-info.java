/// The event log: everything that happened, in one order that all readers see.
@NullMarked
package dev.substrat.store.event;

import org.jspecify.annotations.NullMarked;
