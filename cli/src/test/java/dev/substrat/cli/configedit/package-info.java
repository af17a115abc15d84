@NullMarked
package dev.substrat.cli.configedit;

import org.jspecify.annotations.NullMarked;
