/// The engine: all features on one database, without HTTP.
@NullMarked
package dev.substrat.turn.engine;

import org.jspecify.annotations.NullMarked;
