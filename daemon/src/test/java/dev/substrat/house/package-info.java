/// The rules of the house, and the proof that they bite.
@NullMarked
package dev.substrat.house;

import org.jspecify.annotations.NullMarked;
