/// The console's Team page.
@NullMarked
package dev.substrat.server.console.team;

import org.jspecify.annotations.NullMarked;
