/// The command line: one class per noun, each verb a method; knows a daemon only by its HTTP face.
@NullMarked
package dev.substrat.cli;

import org.jspecify.annotations.NullMarked;
