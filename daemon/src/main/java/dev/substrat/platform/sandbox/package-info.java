/// Process isolation with bubblewrap: visible files, privileges, resource limits, system calls.
@NullMarked
package dev.substrat.platform.sandbox;

import org.jspecify.annotations.NullMarked;
