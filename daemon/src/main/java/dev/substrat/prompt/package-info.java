/// What an agent's mind is told: who it is, how to work, what its turn is about.
@NullMarked
package dev.substrat.prompt;

import org.jspecify.annotations.NullMarked;
