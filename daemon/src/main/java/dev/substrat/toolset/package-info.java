/// Tools that reach beyond mailboxes, spaces and memory.
///
/// Belongs here: custom tools, remote tools, workspaces, approvals, team tools.
@NullMarked
package dev.substrat.toolset;

import org.jspecify.annotations.NullMarked;
