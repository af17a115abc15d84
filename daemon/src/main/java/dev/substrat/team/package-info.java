/// Agents, and who reports to whom.
@NullMarked
package dev.substrat.team;

import org.jspecify.annotations.NullMarked;
