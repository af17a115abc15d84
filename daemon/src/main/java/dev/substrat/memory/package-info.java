/// What agents keep from one turn to the next: blocks, passages, values, and entries of the zoo.
@NullMarked
package dev.substrat.memory;

import org.jspecify.annotations.NullMarked;
