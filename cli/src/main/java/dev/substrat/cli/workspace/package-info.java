/// Commands for the workspaces of agents.
@NullMarked
package dev.substrat.cli.workspace;

import org.jspecify.annotations.NullMarked;
