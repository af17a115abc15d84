/// Team page: diagram and details of an agent.
@NullMarked
package dev.substrat.console.team;

import org.jspecify.annotations.NullMarked;
