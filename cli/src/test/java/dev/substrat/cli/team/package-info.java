@NullMarked
package dev.substrat.cli.team;

import org.jspecify.annotations.NullMarked;
