/// Goals, and plans that wake agents at a time or on a cron schedule.
@NullMarked
package dev.substrat.schedule;

import org.jspecify.annotations.NullMarked;
