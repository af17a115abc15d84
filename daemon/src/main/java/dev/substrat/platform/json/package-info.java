/// Reading, writing and validating JSON and YAML; JSON Schema from records; CEL expressions.
@NullMarked
package dev.substrat.platform.json;

import org.jspecify.annotations.NullMarked;
