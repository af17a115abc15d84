/// What an agent finds when it comes through MCP: its tools, its mail and its team.
@NullMarked
package dev.substrat.desk;

import org.jspecify.annotations.NullMarked;
