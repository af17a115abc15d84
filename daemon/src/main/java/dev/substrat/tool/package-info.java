/// Tools: their definition, which tools an agent has, and the pipeline of every tool call.
///
/// Does not belong here: the tools themselves, which live with their feature or in `toolset`.
@NullMarked
package dev.substrat.tool;

import org.jspecify.annotations.NullMarked;
