/// Editors that change one entry of another program's configuration file and nothing else.
@NullMarked
package dev.substrat.cli.configedit;

import org.jspecify.annotations.NullMarked;
