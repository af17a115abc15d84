/// Where agents work: their directories, what they see of the machine, and tools for files.
@NullMarked
package dev.substrat.workspace;

import org.jspecify.annotations.NullMarked;
