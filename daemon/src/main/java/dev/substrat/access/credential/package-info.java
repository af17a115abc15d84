/// Tokens, browser sessions and login codes, and the principals behind them.
@NullMarked
package dev.substrat.access.credential;

import org.jspecify.annotations.NullMarked;
