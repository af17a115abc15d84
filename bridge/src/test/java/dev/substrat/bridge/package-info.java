/// Tests of the bridge with real and fake daemons.
@NullMarked
package dev.substrat.bridge;

import org.jspecify.annotations.NullMarked;
