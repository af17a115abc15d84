/// Patterns for agents: those that come along, those that people keep, and agents made like others.
@NullMarked
package dev.substrat.template;

import org.jspecify.annotations.NullMarked;
