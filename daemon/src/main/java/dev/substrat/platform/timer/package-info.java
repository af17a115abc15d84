/// Delayed tasks that are usually cancelled, such as timeouts.
@NullMarked
package dev.substrat.platform.timer;

import org.jspecify.annotations.NullMarked;
