/// Changing one entry in a file that somebody else wrote, and not a byte besides.
@NullMarked
package dev.substrat.cli.edit;

import org.jspecify.annotations.NullMarked;
