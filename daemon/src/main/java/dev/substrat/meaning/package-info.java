/// Comparing texts by what they mean, with a model that runs here.
@NullMarked
package dev.substrat.meaning;

import org.jspecify.annotations.NullMarked;
