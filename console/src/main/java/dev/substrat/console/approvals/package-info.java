/// Pages about what waits for a person's word.
@NullMarked
package dev.substrat.console.approvals;

import org.jspecify.annotations.NullMarked;
