/// Programs that speak the Agent Client Protocol as providers.
@NullMarked
package dev.substrat.provider.acp;

import org.jspecify.annotations.NullMarked;
