/// Where agents work, and what they have done there.
@NullMarked
package dev.substrat.cli.workspace;

import org.jspecify.annotations.NullMarked;
