@NullMarked
package dev.substrat.cli.edit;

import org.jspecify.annotations.NullMarked;
