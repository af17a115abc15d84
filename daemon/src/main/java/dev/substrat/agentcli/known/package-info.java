/// The agent CLIs we know: their commands, their files, their words.
@NullMarked
package dev.substrat.agentcli.known;

import org.jspecify.annotations.NullMarked;
