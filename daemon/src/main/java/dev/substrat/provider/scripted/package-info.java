/// Scripted agents: playbooks, and programs that speak JSON lines.
@NullMarked
package dev.substrat.provider.scripted;

import org.jspecify.annotations.NullMarked;
