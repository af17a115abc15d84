/// Pages about spaces: which there are, and what is said in one.
@NullMarked
package dev.substrat.console.spaces;

import org.jspecify.annotations.NullMarked;
