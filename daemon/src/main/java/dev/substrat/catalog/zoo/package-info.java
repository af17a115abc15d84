/// The zoo: agents that people inject into a chat of another program.
@NullMarked
package dev.substrat.catalog.zoo;

import org.jspecify.annotations.NullMarked;
