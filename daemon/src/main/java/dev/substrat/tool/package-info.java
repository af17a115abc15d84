/// What a tool is, and an agent's toolbox.
@NullMarked
package dev.substrat.tool;

import org.jspecify.annotations.NullMarked;
