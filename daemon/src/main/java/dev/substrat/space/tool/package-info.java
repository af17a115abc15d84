/// The toolsets `spaces` and `channels`.
@NullMarked
package dev.substrat.space.tool;

import org.jspecify.annotations.NullMarked;
