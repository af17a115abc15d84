/// Tokens, and who is behind them.
@NullMarked
package dev.substrat.credential;

import org.jspecify.annotations.NullMarked;
