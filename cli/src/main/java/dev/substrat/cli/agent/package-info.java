/// Commands for agents.
@NullMarked
package dev.substrat.cli.agent;

import org.jspecify.annotations.NullMarked;
