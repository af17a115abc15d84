/// What minds want to do on their own, and people allow or refuse.
@NullMarked
package dev.substrat.permission;

import org.jspecify.annotations.NullMarked;
