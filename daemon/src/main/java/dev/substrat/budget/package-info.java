/// What an agent and everyone below it may use up in all: reserved before it is used, settled
/// after.
@NullMarked
package dev.substrat.budget;

import org.jspecify.annotations.NullMarked;
