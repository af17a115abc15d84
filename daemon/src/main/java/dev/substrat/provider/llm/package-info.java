/// Model APIs as providers: requests, retries, history, prices.
@NullMarked
package dev.substrat.provider.llm;

import org.jspecify.annotations.NullMarked;
