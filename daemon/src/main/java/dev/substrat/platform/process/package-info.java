/// Child processes, their output, and the processes that they start.
@NullMarked
package dev.substrat.platform.process;

import org.jspecify.annotations.NullMarked;
