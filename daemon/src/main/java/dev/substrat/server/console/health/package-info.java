/// The console's Health page.
@NullMarked
package dev.substrat.server.console.health;

import org.jspecify.annotations.NullMarked;
