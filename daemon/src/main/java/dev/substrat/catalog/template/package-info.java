/// Templates, clones, exports and snapshots of agents.
@NullMarked
package dev.substrat.catalog.template;

import org.jspecify.annotations.NullMarked;
