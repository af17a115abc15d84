/// Command line client: one class per noun, one method per verb. Talks to the daemon over HTTP
/// only.
@NullMarked
package dev.substrat.cli;

import org.jspecify.annotations.NullMarked;
