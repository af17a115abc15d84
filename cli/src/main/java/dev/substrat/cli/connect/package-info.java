/// Making Substrat known to the programs in which other agents think: editors and their like.
@NullMarked
package dev.substrat.cli.connect;

import org.jspecify.annotations.NullMarked;
