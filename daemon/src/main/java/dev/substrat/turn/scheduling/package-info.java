/// Slots and leases: which turns run at the same time, and on which daemon.
@NullMarked
package dev.substrat.turn.scheduling;

import org.jspecify.annotations.NullMarked;
