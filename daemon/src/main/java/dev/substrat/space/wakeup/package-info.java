/// Which agents a space message wakes: wake policies, guards, sequential rounds, held messages.
@NullMarked
package dev.substrat.space.wakeup;

import org.jspecify.annotations.NullMarked;
