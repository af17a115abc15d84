/// Runs that happen again: replayed against their record, or forked from one of their steps.
@NullMarked
package dev.substrat.replay;

import org.jspecify.annotations.NullMarked;
