/// The daemon process.
///
/// Belongs here: wiring, start and stop, and everything that people and programs reach over HTTP.
@NullMarked
package dev.substrat.server;

import org.jspecify.annotations.NullMarked;
