/// Tools to spawn, inspect, pause, remind and subscribe to agents (toolsets `team` and `control`).
@NullMarked
package dev.substrat.toolset.team;

import org.jspecify.annotations.NullMarked;
