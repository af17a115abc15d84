/// Lowest layer: what every other package may use, and nothing about agents.
///
/// Belongs here: identifiers and permissions, logging, JSON, settings, processes, the sandbox,
/// timers, telemetry.
///
/// Does not belong here: anything that reads or writes a table.
@NullMarked
package dev.substrat.platform;

import org.jspecify.annotations.NullMarked;
