/// Agents, their configuration, versions and tree.
///
/// Does not belong here: what agents do in turns.
@NullMarked
package dev.substrat.team;

import org.jspecify.annotations.NullMarked;
