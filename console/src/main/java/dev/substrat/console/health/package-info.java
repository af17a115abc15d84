/// Health page: slots, queue, rates, providers, remote servers, budgets.
@NullMarked
package dev.substrat.console.health;

import org.jspecify.annotations.NullMarked;
