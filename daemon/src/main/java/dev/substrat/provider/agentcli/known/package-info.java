/// Supported agent CLIs: command lines, configuration files and output formats.
@NullMarked
package dev.substrat.provider.agentcli.known;

import org.jspecify.annotations.NullMarked;
