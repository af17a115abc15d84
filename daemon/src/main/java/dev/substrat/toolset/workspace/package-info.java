/// Workspaces of agents: directories, git branches, tools for files and commands.
@NullMarked
package dev.substrat.toolset.workspace;

import org.jspecify.annotations.NullMarked;
