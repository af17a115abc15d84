/// The toolset `team` and its administration: spawning, inspecting, pausing, reminding,
/// subscribing.
@NullMarked
package dev.substrat.toolset.team;

import org.jspecify.annotations.NullMarked;
