/// Whatever thinks for an agent.
@NullMarked
package dev.substrat.provider;

import org.jspecify.annotations.NullMarked;
