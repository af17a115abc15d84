package dev.substrat.house;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/// Checks methods in the compiler's syntax tree: length, number of parameters, explicit imports.
final class MethodRules {
  /// Guides, not limits: a larger method is listed with its reason in [SizeExceptions].
  private static final int USUAL_LINES = 50;

  private static final int USUAL_PARAMETERS = 6;

  private MethodRules() {}

  /// All at once: one compiler for each file would take ten times as long.
  static void check(List<Path> sources, SizeExceptions exceptions, List<String> broken) {
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      var task =
          (JavacTask)
              compiler.getTask(
                  null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        String file = unit.getSourceFile().getName();
        new Scanner(file, unit, positions, exceptions, broken).scan(unit, null);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Scanner extends TreeScanner<@Nullable Void, @Nullable Void> {
    private final String file;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final SizeExceptions exceptions;
    private final List<String> broken;

    Scanner(
        String file,
        CompilationUnitTree unit,
        SourcePositions positions,
        SizeExceptions exceptions,
        List<String> broken) {
      this.file = file;
      this.unit = unit;
      this.positions = positions;
      this.exceptions = exceptions;
      this.broken = broken;
    }

    @Override
    public @Nullable Void visitImport(ImportTree tree, @Nullable Void unused) {
      if (tree.getQualifiedIdentifier().toString().endsWith(".*") || tree.isModule()) {
        broken.add(file + " hides what it depends on: " + tree.toString().strip());
      }
      return super.visitImport(tree, null);
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
      // Constructors wire and records hold: for them the limit on things is a class's, not a
      // method's.
      if (method.getReturnType() != null) {
        String name = file + "#" + method.getName();
        int parameters = method.getParameters().size();
        if (parameters > USUAL_PARAMETERS) {
          report(name, "has %d parameters (guide: %d)".formatted(parameters, USUAL_PARAMETERS));
        }
        long lines = line(positions.getEndPosition(unit, method)) - line(start(method)) + 1;
        if (lines > USUAL_LINES) {
          report(name, "has %d lines (guide: %d)".formatted(lines, USUAL_LINES));
        }
      }
      return super.visitMethod(method, null);
    }

    private void report(String method, String size) {
      exceptions.problem(method, size).ifPresent(broken::add);
    }

    private long start(MethodTree method) {
      return positions.getStartPosition(unit, method);
    }

    private long line(long position) {
      return unit.getLineMap().getLineNumber(position);
    }
  }
}
