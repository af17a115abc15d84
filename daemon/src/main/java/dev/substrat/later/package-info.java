/// What is done in a while, if it is still worth doing then.
@NullMarked
package dev.substrat.later;

import org.jspecify.annotations.NullMarked;
