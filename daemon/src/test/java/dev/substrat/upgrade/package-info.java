/// Upgrades: databases that earlier versions have written, migrated and run by this one.
@NullMarked
package dev.substrat.upgrade;

import org.jspecify.annotations.NullMarked;
