/// Budgets of an agent and all agents below it: reserved before use, settled after it.
@NullMarked
package dev.substrat.access.budget;

import org.jspecify.annotations.NullMarked;
