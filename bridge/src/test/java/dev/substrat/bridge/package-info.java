/// The bridge between a real client's pipe and daemons, real and played.
@NullMarked
package dev.substrat.bridge;

import org.jspecify.annotations.NullMarked;
