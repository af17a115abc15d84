/// Tools with which agents lead others and themselves: spawning, watching, pausing, reminding.
@NullMarked
package dev.substrat.lead;

import org.jspecify.annotations.NullMarked;
