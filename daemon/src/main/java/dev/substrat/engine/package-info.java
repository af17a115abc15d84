/// The engine put together: agents, mail, tools and turns on one database, without any door.
@NullMarked
package dev.substrat.engine;

import org.jspecify.annotations.NullMarked;
