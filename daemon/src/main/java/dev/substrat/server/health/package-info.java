/// Health of the daemon: whether it can work, and the metrics that need its database.
@NullMarked
package dev.substrat.server.health;

import org.jspecify.annotations.NullMarked;
